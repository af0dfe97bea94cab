package dev.caisson.linux.seccomp;

import dev.caisson.linux.ShellInSandbox;
import dev.caisson.linux.SyscallFilter;
import dev.caisson.linux.UnixSockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/// Base of tests in one real sandbox under the system call filter.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FilteredShellTestCase {
    final ShellInSandbox shell;

    /// Not in a method before all tests: the sandbox ends with the thread that started it.
    FilteredShellTestCase(Path directory) throws IOException {
        var filter = directory.resolve("filter");
        Files.write(filter, SyscallFilter.compile(UnixSockets.PRIVATE_PLACES));
        shell = ShellInSandbox.start(filter);
    }

    @AfterAll
    final void endShell() {
        shell.close();
    }
}
