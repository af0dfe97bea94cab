package dev.caisson.storage;

import dev.caisson.search.Seeker;
import dev.caisson.share.CallerWorkers;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// Run of a search on the threads that compute, in the turns of its caller: as many strands as
/// there are processors, up to four.
record SeekRun(Seeker seeker, CallerWorkers computing) {
    private static final int STRANDS_MAX = 4;

    void run(Supplier<Seeker.Visitor> visitors) throws InterruptedException {
        int strands = Math.min(STRANDS_MAX, Runtime.getRuntime().availableProcessors());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Optional<Void>>>();
            for (int each = 0; each < strands; each++) {
                all.add(threads.submit(() -> strand(visitors.get())));
            }
            try {
                for (var strand : all) {
                    strand.get();
                }
            } catch (InterruptedException cancelled) {
                threads.shutdownNow();
                throw cancelled;
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                throw thrown(failed);
            }
        }
    }

    private static RuntimeException thrown(ExecutionException failed) throws InterruptedException {
        return switch (failed.getCause()) {
            case InterruptedException interrupted -> throw interrupted;
            case Error error -> throw error;
            case RuntimeException thrown -> thrown;
            case null, default -> new IllegalStateException(failed);
        };
    }

    private Optional<Void> strand(Seeker.Visitor visitor) throws InterruptedException {
        try (var strand = seeker.strand(visitor)) {
            do {
                computing.runAll(strand::next);
            } while (seeker.await());
        }
        return Optional.empty();
    }
}
