package dev.caisson.environments;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Base of test classes whose tests bake in the sandboxes of one bench.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BakeTestCase {
    BakeBench bench;

    @BeforeAll
    void openSandboxes() throws IOException {
        bench = new BakeBench();
    }

    @AfterAll
    void closeSandboxes() throws IOException {
        bench.close();
    }

    @BeforeEach
    void begin(@TempDir Path directory) throws IOException {
        bench.begin(directory);
    }

    @AfterEach
    void end() {
        bench.end();
    }
}
