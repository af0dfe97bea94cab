package dev.caisson.sandbox.nest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;

/// A control group of somebody else, in which one process is frozen until this is closed.
final class ForeignFreezer implements AutoCloseable {
    private static final Path FIRST = Path.of("/sys/fs/cgroup/freezer");
    private static final Path SECOND = Path.of("/sys/fs/cgroup");

    private final boolean first = Files.exists(FIRST);
    private final Path group;
    private final Path parent;
    private final long process;

    ForeignFreezer(long process) throws IOException {
        this.process = process;
        this.parent = first ? FIRST : SECOND;
        this.group = Files.createDirectory(parent.resolve("foreign-" + process));
        Files.writeString(group.resolve("cgroup.procs"), "" + process);
        state("FROZEN", "1");
        if (first) {
            var state = group.resolve("freezer.state");
            Awaitility.await().until(() -> Files.readString(state).strip().equals("FROZEN"));
        }
    }

    /// In version 2 what is frozen can be killed all the same.
    boolean holdsWhatIsKilled() {
        return first;
    }

    private void state(String inFirst, String inSecond) throws IOException {
        Files.writeString(
                group.resolve(first ? "freezer.state" : "cgroup.freeze"),
                first ? inFirst : inSecond);
    }

    @Override
    public void close() throws IOException {
        state("THAWED", "0");
        Awaitility.await().until(() -> Files.notExists(Path.of("/proc", "" + process)));
        Awaitility.await().until(() -> group.toFile().delete());
    }
}
