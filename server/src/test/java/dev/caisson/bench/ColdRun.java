package dev.caisson.bench;

import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Sink;
import dev.caisson.storage.Threads;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// One program in one sandbox made for it, and the time each part took.
///
/// @param workspace to make its file system
/// @param start from asking for the run to the program's first output: a place, the sandbox, the
///   interpreter, the workspace attached, the program handed over
/// @param end from there until everything is gone
/// @param erase of the workspace
record ColdRun(long workspace, long start, long end, long erase) {
    /// Keeps what is printed, and when it began.
    private static final class Heard implements Sink {
        private final StringBuilder text = new StringBuilder();
        private long first;

        @Override
        public synchronized void write(Stream stream, byte[] bytes, int offset, int length) {
            if (text.isEmpty()) {
                first = System.nanoTime();
            }
            text.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }
    }

    static ColdRun of(Runs runs, Threads threads, Hello hello) throws InterruptedException {
        var runner = runs.runners().of(hello.language()).orElseThrow();
        var heard = new Heard();
        long asked = System.nanoTime();
        long made;
        long gone;
        try (var lease = threads.ephemeral("bench")) {
            var workspace = lease.workspace();
            made = System.nanoTime();
            var run =
                    new Run(
                            "cold",
                            runner,
                            hello.code(),
                            Limits.DEFAULT,
                            Map.of(),
                            workspace,
                            heard);
            check(runs.run(run), heard);
            gone = System.nanoTime();
        }
        return new ColdRun(
                made - asked, heard.first - made, gone - heard.first, System.nanoTime() - gone);
    }

    private static void check(Outcome outcome, Heard heard) {
        if (!(outcome instanceof Outcome.Exited(int code, var _, var _))
                || code != 0
                || !heard.text.toString().equals(Hello.SAID)) {
            throw new IllegalStateException("it did not say hello: " + outcome + heard.text);
        }
    }

    long total() {
        return workspace + start + end + erase;
    }
}
