package dev.caisson;

import dev.caisson.executions.ExecutionSettings;
import dev.caisson.executions.Retention;
import dev.caisson.ledger.UpstreamCallLimits;
import dev.caisson.output.OutputRetention;
import dev.caisson.rest.IdempotencyLimits;
import dev.caisson.storage.DiskSpace;
import dev.caisson.storage.ThreadRetention;
import dev.caisson.workflow.TaskLimits;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sizes of what is kept, fitted to the disk, so that a small one does not fill up.
///
/// Everything kept may take `keep.disk_part` of the disk. Records of runs with their output,
/// results of tasks, kept calls, answers and unsent results have half of that at most: where their
/// sizes come to more, all are lowered in proportion. Threads have the rest, unless
/// `keep.threads_bytes` says how much, or their files are on a disk of their own.
///
/// @param config as the operator wrote it
/// @param dataBytes size of the disk of the data directory
/// @param threadsBytes size of the disk of threads, when it is another
record KeptSizes(Config config, long dataBytes, Optional<Long> threadsBytes) {
    private static final Logger LOG = LoggerFactory.getLogger(KeptSizes.class);

    /// As the directories of a server are now.
    static Config fit(Config config) {
        var data = config.data().directory();
        var threads = config.data().threadsDirectory();
        return new KeptSizes(
                        config,
                        DiskSpace.of(data).totalBytes(),
                        DiskSpace.isSame(data, threads)
                                ? Optional.empty()
                                : Optional.of(DiskSpace.of(threads).totalBytes()))
                .fitted();
    }

    Config fitted() {
        if (part() == 0) {
            return config;
        }
        if (records() > room() / 2) {
            LOG.info("what is kept of runs is limited to {} bytes by keep.disk_part", room() / 2);
        }
        var kept = config.kept();
        return config.keeping(
                new Config.Kept(
                        new ExecutionSettings(
                                kept.executions().code(),
                                new Retention(
                                        kept.executions().retention().age(),
                                        kept.executions().retention().bytes().map(this::lowered))),
                        new OutputRetention(kept.output().age(), lowered(kept.output().bytes())),
                        threads(kept.threads()),
                        new IdempotencyLimits(
                                kept.answers().age(),
                                lowered(kept.answers().bytesMax()),
                                kept.answers().keysMax()),
                        new TaskLimits(lowered(kept.tasks().bytesMax())),
                        new UpstreamCallLimits(
                                kept.upstreamCalls().arguments(),
                                kept.upstreamCalls().results(),
                                lowered(kept.upstreamCalls().bytes()))),
                config.webhooks().keeping(lowered(config.webhooks().bytesMax())));
    }

    private double part() {
        return config.files().disk().keptPart();
    }

    private long room() {
        return (long) (dataBytes * part());
    }

    /// Output counts to executions.
    private long records() {
        var kept = config.kept();
        return kept.executions().retention().bytes().orElse(0L)
                + kept.answers().bytesMax()
                + kept.tasks().bytesMax()
                + kept.upstreamCalls().bytes()
                + config.webhooks().bytesMax();
    }

    private long lowered(long bytes) {
        long most = room() / 2;
        return records() <= most
                ? bytes
                : Math.max(1, (long) (bytes * (most / (double) records())));
    }

    private ThreadRetention threads(ThreadRetention wanted) {
        long rest = room() - lowered(records());
        long most = threadsBytes.map(bytes -> (long) (bytes * part())).orElse(rest);
        return new ThreadRetention(
                wanted.idle(), wanted.bytes().or(() -> Optional.of(most)), wanted.revoked());
    }
}
