package dev.caisson;

import dev.caisson.backup.Backup;
import java.time.Duration;
import java.util.function.Consumer;

/// Progress report of a copy, printed from time to time.
final class CopyProgress implements Backup.Progress {
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Consumer<String> said;
    private long last = System.nanoTime();
    private long bytes;

    CopyProgress(Consumer<String> said) {
        this.said = said;
    }

    @Override
    public void copied(int files, long fileBytes) {
        bytes += fileBytes;
        if (System.nanoTime() - last > EVERY.toNanos()) {
            last = System.nanoTime();
            said.accept("… %,d files, %,d MiB".formatted(files, bytes >> 20));
        }
    }
}
