package dev.caisson.upstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch over the file of upstreams and over what other processes store: looks once in an interval.
/// A file with a mistake leaves what was read last in force.
public final class UpstreamWatch implements AutoCloseable {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamWatch.class);

    /// What tells whether a file was written.
    private record Stamp(FileTime time, long size) {}

    private final Upstreams upstreams;
    private final Optional<Path> file;
    private final boolean removes;
    private final Thread thread;
    private Optional<Stamp> seen = Optional.empty();

    private UpstreamWatch(
            Upstreams upstreams, Optional<Path> file, boolean removes, Duration interval) {
        this.upstreams = upstreams;
        this.file = file;
        this.removes = removes;
        this.thread = Thread.ofVirtual().name("upstreams").unstarted(() -> repeat(interval));
    }

    /// @param removes whether this server removes entries that are not in the file any more
    /// @throws UpstreamMistakes with every mistake in the file
    public static UpstreamWatch start(Upstreams upstreams, Optional<Path> file, boolean removes)
            throws UpstreamMistakes {
        return start(upstreams, file, removes, INTERVAL);
    }

    static UpstreamWatch start(
            Upstreams upstreams, Optional<Path> file, boolean removes, Duration interval)
            throws UpstreamMistakes {
        var watch = new UpstreamWatch(upstreams, file, removes, interval);
        watch.seen = watch.stamp();
        watch.readFile();
        upstreams.refresh();
        watch.thread.start();
        return watch;
    }

    private void readFile() throws UpstreamMistakes {
        upstreams.take(file.isPresent() ? UpstreamFile.read(file.get()) : Map.of(), removes);
    }

    private void repeat(Duration interval) {
        try {
            while (true) {
                Thread.sleep(interval);
                look();
            }
        } catch (InterruptedException _) {
            LOG.debug("no more looks for upstreams");
        }
    }

    private void look() {
        try {
            var now = stamp();
            if (!now.equals(seen)) {
                seen = now;
                readFile();
                LOG.info("the file of upstreams was read again");
            }
        } catch (UpstreamMistakes wrong) {
            LOG.warn(
                    "the file of upstreams is not used until it is corrected: {}",
                    wrong.sentences());
        } catch (RuntimeException trouble) {
            LOG.warn("the file of upstreams could not be taken over; retrying", trouble);
            seen = Optional.empty();
        }
        try {
            upstreams.refresh();
        } catch (RuntimeException trouble) {
            LOG.warn("upstreams could not be read; retrying", trouble);
        }
    }

    private Optional<Stamp> stamp() {
        return file.flatMap(path -> {
            try {
                return Optional.of(new Stamp(Files.getLastModifiedTime(path), Files.size(path)));
            } catch (IOException _) {
                return Optional.empty();
            }
        });
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
