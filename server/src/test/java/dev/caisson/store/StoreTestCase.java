package dev.caisson.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Base of tests that need an open store on an empty database of either kind.
public abstract class StoreTestCase extends DatabaseTestCase {
    protected Store store;

    @BeforeEach
    protected final void openStore() {
        store = database.open();
    }

    @AfterEach
    protected final void closeStore() {
        store.close();
    }
}
