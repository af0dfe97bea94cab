package dev.caisson.upstream;

import dev.caisson.config.RepeatedLook;
import dev.caisson.config.WatchedFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch over the file of upstreams and over what other processes store: looks once in an interval.
/// A file with a mistake leaves what was read last in force.
public final class UpstreamWatch {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamWatch.class);

    private final Upstreams upstreams;
    private final WatchedFile file;
    private final boolean removes;

    private UpstreamWatch(Upstreams upstreams, Optional<Path> file, boolean removes) {
        this.upstreams = upstreams;
        this.file = new WatchedFile(file);
        this.removes = removes;
    }

    /// @param removes whether this server removes entries that are not in the file any more
    /// @throws UpstreamMistakes with every mistake in the file
    public static RepeatedLook start(Upstreams upstreams, Optional<Path> file, boolean removes)
            throws UpstreamMistakes {
        return start(upstreams, file, removes, INTERVAL);
    }

    static RepeatedLook start(
            Upstreams upstreams, Optional<Path> file, boolean removes, Duration interval)
            throws UpstreamMistakes {
        var watch = new UpstreamWatch(upstreams, file, removes);
        watch.readFile();
        upstreams.refresh();
        return RepeatedLook.start("upstreams", interval, watch::look);
    }

    private void readFile() throws UpstreamMistakes {
        var path = file.path();
        upstreams.take(path.isPresent() ? UpstreamFile.read(path.get()) : Map.of(), removes);
    }

    private void look() {
        try {
            if (file.isNew()) {
                readFile();
                LOG.info("the file of upstreams was read again");
            }
        } catch (UpstreamMistakes wrong) {
            LOG.warn(
                    "the file of upstreams is not used until it is corrected: {}",
                    wrong.sentences());
        } catch (RuntimeException trouble) {
            LOG.warn("the file of upstreams could not be taken over; retrying", trouble);
            file.again();
        }
        upstreams.refresh();
        upstreams.note();
    }
}
