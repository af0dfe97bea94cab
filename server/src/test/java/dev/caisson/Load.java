package dev.caisson;

import dev.caisson.call.Scope;
import dev.caisson.identity.Keys;
import dev.caisson.runs.RunFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// Callers who keep a server busy until it is gone, and remember what it acknowledged.
final class Load {
    private static final List<String> THREADS = List.of("t0", "t1", "t2");

    /// An argument that no other process of this machine has.
    private final String marker =
            "600.%09d".formatted(ThreadLocalRandom.current().nextInt(1_000_000_000));

    private final AtomicInteger files = new AtomicInteger();
    private final Map<String, String> runs = new ConcurrentHashMap<>();
    private final Queue<String> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<String> traces = new ConcurrentLinkedQueue<>();
    private final Queue<String> keys = new ConcurrentLinkedQueue<>();

    /// Some who work; closing waits for them.
    record Working(List<Thread> threads) implements AutoCloseable {
        void join() throws InterruptedException {
            for (var thread : threads) {
                thread.join();
            }
        }

        @Override
        public void close() {
            threads.forEach(Thread::interrupt);
        }
    }

    private interface Work {
        void untilGone() throws Exception;
    }

    Working on(ChildServer server, Keys desk) {
        var threads = new ArrayList<Thread>();
        THREADS.forEach(thread -> threads.add(started(() -> write(server, thread))));
        threads.add(started(() -> sleep(server)));
        threads.add(started(() -> make(desk)));
        return new Working(threads);
    }

    private static Thread started(Work work) {
        return Thread.ofVirtual()
                .start(() -> {
                    try {
                        work.untilGone();
                    } catch (IOException | InterruptedException gone) {
                        return;
                    } catch (Exception failure) {
                        throw new AssertionError(failure);
                    }
                });
    }

    /// One file after another.
    private void write(ChildServer server, String thread) throws Exception {
        while (true) {
            var file = "file-" + files.incrementAndGet();
            var answer = server.call(run(thread, "echo x > " + file));
            if (!acknowledgedTask(answer) && succeeded(answer)) {
                var report = answer.path("result").path("_meta").path(RunFigures.NAME);
                traces.add(report.path("trace_id").stringValue());
                runs.put(report.path("run_id").stringValue(), file);
            }
        }
    }

    /// Programs that are under way when the server is killed, some of them as tasks.
    private void sleep(ChildServer server) throws Exception {
        while (true) {
            acknowledgedTask(
                    server.call(run("sleepers" + files.incrementAndGet(), "sleep " + marker)));
        }
    }

    private boolean acknowledgedTask(JsonNode answer) {
        var result = answer.path("result");
        if (!result.path("resultType").asString("").equals("task")) {
            return false;
        }
        tasks.add(result.path("taskId").stringValue());
        return true;
    }

    private void make(Keys desk) {
        for (var i = 0; i < 2; i++) {
            var made = desk.create("key", Set.of(Scope.RUN), Set.of("core"), Optional.empty());
            keys.add(made.info().id());
        }
    }

    /// The parameters of a call that runs bash.
    static String run(String thread, String code) {
        return "\"name\":\"sandbox_execute\",\"arguments\":{\"language\":\"bash\",\"code\":\"%s\","
                        .formatted(code)
                + "\"thread_id\":\"%s\",\"timeout\":600}".formatted(thread);
    }

    static boolean succeeded(JsonNode answer) {
        var report = answer.path("result").path("structuredContent");
        return report.path("status").asString("").equals("success");
    }

    boolean leftNoProcess() {
        return ProcessHandle.allProcesses()
                .noneMatch(process ->
                        process.info().commandLine().orElse("").endsWith("sleep " + marker));
    }

    /// The files that runs made, by the ids of the runs.
    Map<String, String> runs() {
        return runs;
    }

    List<String> threads() {
        return THREADS;
    }

    List<String> tasks() {
        return List.copyOf(tasks);
    }

    List<String> traces() {
        return List.copyOf(traces);
    }

    List<String> keys() {
        return List.copyOf(keys);
    }
}
