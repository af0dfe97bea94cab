package dev.caisson.store;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Path;

/// Lock on a data directory, held by its one server. Commands and stdio processes beside it do not
/// need it.
public final class DataLock implements AutoCloseable {
    private final LockFile lock;

    private DataLock(LockFile lock) {
        this.lock = lock;
    }

    /// Makes the directory first if it is not there.
    ///
    /// @throws Refusal UNAVAILABLE when another server has it
    public static DataLock take(Path dataDirectory) {
        SqliteFile.createDirectory(dataDirectory);
        var file = dataDirectory.resolve("serve.lock");
        var lock =
                LockFile.tryTake(file)
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.UNAVAILABLE,
                                        "Another server (process "
                                                + LockFile.holder(file)
                                                + ") uses the data directory "
                                                + dataDirectory
                                                + ". Stop it, or choose another data directory."));
        return new DataLock(lock);
    }

    @Override
    public void close() {
        lock.close();
    }
}
