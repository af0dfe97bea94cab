package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.executions.ExecutionFilter;
import dev.caisson.executions.ExecutionRecord;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.Keys;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerFilter;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The product is killed again and again while it works for many. Whatever it acknowledged before
/// is there at the end, whatever was under way is reported, and nothing runs on.
@Tag("root")
@Tag("slow")
@Timeout(1200)
class KilledUnderLoadTest {
    private static final int KILLS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LOAD_MILLIS_MAX = 1000;

    /// Short enough that some calls become tasks.
    private static final Duration DETACH_AFTER = Duration.ofSeconds(1);

    @TempDir Path directory;
    private final List<String> faults = new ArrayList<>();

    @Test
    void nothing_acknowledged_is_lost_however_often_the_server_is_killed() throws Exception {
        var load = new Load();
        for (var kill = 0; kill < KILLS; kill++) {
            killUnderLoad(load);
        }
        assertThat(load.runs()).hasSizeGreaterThanOrEqualTo(KILLS);
        assertThat(load.tasks()).isNotEmpty();
        try (var server = new ChildServer(directory, PATIENCE);
                var store = Store.open(directory.resolve("caisson.db"))) {
            assertRunsAreThere(store, load);
            assertFilesAreThere(server, load);
            assertTasksAreThere(server, load);
            assertCallsAreInTheLedger(store, load);
            assertThat(new Keys(store, Clock.systemUTC()).list())
                    .extracting(KeyInfo::id)
                    .containsAll(load.keys());
        }
    }

    private void killUnderLoad(Load load) throws Exception {
        try (var server = new ChildServer(directory, DETACH_AFTER);
                var store = Store.open(directory.resolve("caisson.db"))) {
            var before = load.runs().size();
            try (var working = load.on(server, new Keys(store, Clock.systemUTC()))) {
                await().atMost(PATIENCE).until(() -> load.runs().size() > before);
                Thread.sleep(ThreadLocalRandom.current().nextInt(LOAD_MILLIS_MAX));
                server.kill();
                working.join();
            }
            faults.addAll(server.faults());
        }
        await().atMost(PATIENCE).until(load::leftNoProcess);
    }

    private void assertRunsAreThere(Store store, Load load) {
        var all = executions(new ExecutionRecords(store, Clock.systemUTC(), true));
        assertThat(all.keySet()).containsAll(load.runs().keySet());
        for (var id : load.runs().keySet()) {
            assertThat(all.get(id))
                    .extracting(ExecutionRecord::status)
                    .isEqualTo(ExecutionStatus.SUCCESS);
        }
        assertThat(all.values())
                .extracting(ExecutionRecord::status)
                .doesNotContain(ExecutionStatus.RUNNING);
        var reasons =
                all.values().stream()
                        .filter(one -> one.status() == ExecutionStatus.FAILED)
                        .map(one -> one.completion().orElseThrow().ended().sentence().orElseThrow())
                        .toList();
        assertThat(reasons)
                .as("why runs failed, with what the servers logged: %s", faults)
                .isNotEmpty()
                .containsOnly(Core.STOPPED);
    }

    private static Map<String, ExecutionRecord> executions(ExecutionRecords records) {
        var all = new ArrayList<ExecutionRecord>();
        var cursor = Optional.<String>empty();
        do {
            var page = records.list(Optional.empty(), ExecutionFilter.ALL, cursor, 200);
            page.executions().stream()
                    .map(line -> records.find(Optional.empty(), line.id()).orElseThrow())
                    .forEach(all::add);
            cursor = page.next();
        } while (cursor.isPresent());
        return all.stream().collect(Collectors.toMap(ExecutionRecord::id, Function.identity()));
    }

    private static void assertFilesAreThere(ChildServer server, Load load) throws Exception {
        var found = new HashSet<String>();
        for (var thread : load.threads()) {
            found.addAll(List.of(list(server, thread).split("\n")));
        }
        assertThat(found).containsAll(load.runs().values());
    }

    /// The kernel may still be closing what the last server had open.
    private static String list(ChildServer server, String thread) {
        return await().atMost(PATIENCE)
                .until(() -> server.call(Load.run(thread, "ls")), Load::succeeded)
                .path("result")
                .path("structuredContent")
                .path("stdout")
                .stringValue();
    }

    private static void assertTasksAreThere(ChildServer server, Load load) throws Exception {
        for (var task : load.tasks()) {
            var answer = server.call("tasks/get", task, "\"taskId\":\"%s\"".formatted(task));
            assertThat(answer.path("result").path("status").asString("absent"))
                    .isIn("failed", "completed");
        }
    }

    private static void assertCallsAreInTheLedger(Store store, Load load) {
        var ledger = new Ledger(store);
        assertThat(ledger.verify(Optional.empty()).findings()).isEmpty();
        var traces = new HashSet<String>();
        var before = OptionalLong.empty();
        do {
            var page = ledger.page(LedgerFilter.ALL, before, Ledger.PAGE_MAX);
            page.entries().forEach(one -> traces.add(one.entry().traceId()));
            before = page.next();
        } while (before.isPresent());
        assertThat(traces).containsAll(Set.copyOf(load.traces()));
    }
}
