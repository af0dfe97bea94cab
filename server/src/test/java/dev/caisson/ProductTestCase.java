package dev.caisson;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Base of test classes whose tests share one product with real sandboxes.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProductTestCase {
    private final String[] settings;
    TestProduct product;
    Path directory;

    /// @param settings such as `mcp.strict_params=true`
    ProductTestCase(String... settings) {
        this.settings = settings.clone();
    }

    @BeforeAll
    final void startProduct(@TempDir Path directory) throws Exception {
        this.directory = directory;
        product = new TestProduct(directory, settings);
    }

    @AfterAll
    final void stopProduct() {
        product.close();
    }
}
