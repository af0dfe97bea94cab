package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.call.ReplyMode;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.output.OutputLimits;
import dev.caisson.output.OutputRetention;
import dev.caisson.output.Spool;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.Threads;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that has kept much starts in less than twice the time of one that has kept nothing.
@Tag("alone")
@Tag("slow")
@Timeout(600)
class FullRestartTest {
    private static final int EXECUTIONS = 10_000;
    private static final int THREADS = 1_000;
    private static final int STARTS = 3;
    private static final int WRITERS = 64;
    private static final Redactor NOTHING = new Redactor(List.of(), false);

    @TempDir Path directory;

    @Test
    void what_is_kept_does_not_slow_the_start() throws Exception {
        var full = directory.resolve("full");
        fill(full);
        start(directory.resolve("warm-up"));
        var empty = Long.MAX_VALUE;
        var much = Long.MAX_VALUE;
        for (var i = 0; i < STARTS; i++) {
            empty = Math.min(empty, start(directory.resolve("empty" + i)));
            much = Math.min(much, start(full));
        }
        assertThat((double) much / empty)
                .as("start with %d executions and %d threads, to an empty one", EXECUTIONS, THREADS)
                .isLessThan(2);
    }

    /// @return how long it took, in nanoseconds
    private static long start(Path data) throws Exception {
        var config = TestProduct.config(data, "data.directory=" + data);
        var began = System.nanoTime();
        try (var _ = Server.start(config, Clock.systemUTC())) {
            return System.nanoTime() - began;
        }
    }

    private static void fill(Path data) throws Exception {
        try (var store = Store.open(data.resolve("caisson.db"));
                var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var records = new ExecutionRecords(store, Clock.systemUTC(), true);
            var spool = new Spool(data, OutputLimits.DEFAULT, OutputRetention.DEFAULT.bytes());
            List<Future<?>> all =
                    IntStream.range(0, WRITERS)
                            .<Future<?>>mapToObj(i -> writers.submit(() -> run(records, spool, i)))
                            .toList();
            for (var one : all) {
                one.get();
            }
        }
        var threads =
                new Threads(
                        TestProduct.config(data, "data.directory=" + data)
                                .data()
                                .threadsDirectory(),
                        plain(),
                        TestWorkers.WORKERS);
        for (var i = 0; i < THREADS; i++) {
            threads.acquire(Caller.LOCAL, "thread" + i, "exe", Duration.ZERO).close();
        }
    }

    private static DirectoryWorkspaces plain() {
        return new DirectoryWorkspaces(Optional.empty());
    }

    private static void run(ExecutionRecords records, Spool spool, int first) {
        for (var i = first; i < EXECUTIONS; i += WRITERS) {
            var id = ExecutionRecords.freshId();
            records.start(id, Caller.LOCAL.id(), request(), "print('hello')", true).awaitNoted();
            try (var capture = spool.capture(Caller.LOCAL, id, NOTHING, (_, _, _, _) -> {})) {
                capture.write(Sink.Stream.STDOUT, new byte[] {'x'}, 0, 1);
            }
            records.finish(id, Completion.without(ExecutionStatus.SUCCESS, "done")).await();
        }
    }

    private static ExecutionRequest request() {
        return new ExecutionRequest(
                Optional.of("thread"),
                "python",
                "python 3.14",
                new ExecutionRequest.Allowed(30_000, 1 << 29, 1, 128),
                "sha256:cc",
                "sha256:dd",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                "0123456789abcdef0123456789abcdef",
                ReplyMode.INLINE);
    }
}
