package dev.caisson.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class StoredProcessesTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private StoredProcesses processes;

    @BeforeEach
    void open() {
        processes = at(NOON);
    }

    private StoredProcesses at(Instant moment) {
        return new StoredProcesses(store, Clock.fixed(moment, ZoneOffset.UTC));
    }

    private static JsonNode data(String text) {
        return Json.object().put("text", text);
    }

    private WorkflowProcess started() {
        return processes.start(Definition.TASK, "anna", data("begun"), Optional.empty());
    }

    @Test
    void a_started_process_is_found_by_its_owner_alone() {
        var process = started();
        assertThat(process.state()).isEqualTo("working");
        assertThat(process.created()).isEqualTo(NOON);
        assertThat(processes.find(process.id(), "anna")).contains(process);
        assertThat(processes.find(process.id(), "bert")).isEmpty();
        assertThat(processes.find("no such id", "anna")).isEmpty();
    }

    @Test
    void ids_cannot_be_guessed() {
        assertThat(started().id()).matches("[0-9a-f]{32}").isNotEqualTo(started().id());
    }

    @Test
    void a_move_changes_state_and_data_and_leaves_a_line_of_history() {
        var process = started();
        var later = at(NOON.plusSeconds(5));
        var moved = later.move(process.id(), "completed", data("done"), "runner", "exit code 0");
        assertThat(moved).isPresent();
        assertThat(moved).isEqualTo(processes.find(process.id(), "anna"));
        assertThat(moved.orElseThrow().data()).isEqualTo(data("done"));
        assertThat(moved.orElseThrow().updated()).isEqualTo(NOON.plusSeconds(5));
        assertThat(processes.history(process.id()))
                .containsExactly(
                        new HistoryLine(Optional.empty(), "working", "anna", "started", NOON),
                        new HistoryLine(
                                Optional.of("working"),
                                "completed",
                                "runner",
                                "exit code 0",
                                NOON.plusSeconds(5)));
    }

    @Test
    void every_move_the_definition_lacks_is_refused_and_every_one_it_has_works() {
        var states = new String[] {"working", "input_required", "completed", "failed", "cancelled"};
        var allowed = 0;
        for (var from : states) {
            for (var to : states) {
                var process = started();
                if (!from.equals("working")) {
                    processes.move(process.id(), from, data("at"), "test", "set up");
                }
                var before = processes.find(process.id(), "anna");
                var moved = processes.move(process.id(), to, data("to"), "test", "try");
                assertThat(moved.isPresent()).isEqualTo(Definition.TASK.allows(from, to));
                if (moved.isEmpty()) {
                    assertThat(processes.find(process.id(), "anna")).isEqualTo(before);
                }
                allowed += moved.isPresent() ? 1 : 0;
            }
        }
        assertThat(allowed).isEqualTo(8);
        assertThat(processes.move("no such id", "completed", data(""), "test", "")).isEmpty();
    }

    @Test
    void of_many_who_end_a_process_one_succeeds() throws Exception {
        var process = started();
        var jobs = new ArrayList<Callable<Boolean>>();
        for (var i = 0; i < 50; i++) {
            var state = i % 2 == 0 ? "completed" : "cancelled";
            jobs.add(() ->
                    processes.move(process.id(), state, data(state), "test", "race").isPresent());
        }
        var succeeded = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(jobs)) {
                succeeded += done.get() ? 1 : 0;
            }
        }
        assertThat(succeeded).isEqualTo(1);
        assertThat(processes.history(process.id())).hasSize(2);
    }

    @Test
    void what_a_server_has_under_way_is_abandoned_when_its_lease_is_over() {
        store.enlist(directory, "here");
        var task = started();
        assertThat(processes.abandoned(Definition.TASK)).isEmpty();

        store.write(handle -> handle.execute("DELETE FROM server"));

        assertThat(processes.abandoned(Definition.TASK)).containsExactly(task);
        assertThat(processes.abandoned(Definition.EXECUTION)).isEmpty();
    }

    @Test
    void one_of_a_definition_that_is_not_known_here_is_found_and_stays_where_it_is() {
        var process = started();
        store.write(handle -> handle.execute("UPDATE process SET definition = 'approval@3'"));

        var found = processes.find(process.id(), "anna").orElseThrow();

        assertThat(found.definition().id()).isEqualTo("approval");
        assertThat(found.definition().version()).isEqualTo(3);
        assertThat(found.ended()).isFalse();
        assertThat(processes.move(process.id(), "completed", data(""), "test", "")).isEmpty();
        assertThat(processes.find(process.id(), "anna")).contains(found);
        assertThat(processes.abandoned(Definition.TASK)).isEmpty();
    }

    @Test
    void an_ended_one_is_found_until_its_time_is_over_though_no_sweep_comes() {
        var keep = Optional.of(Duration.ofMinutes(1));
        var ended = processes.start(Definition.TASK, "anna", data(""), keep);
        var running = processes.start(Definition.TASK, "anna", data(""), keep);
        processes.move(ended.id(), "failed", data(""), "test", "");
        assertThat(at(NOON.plusMillis(59_999)).find(ended.id(), "anna")).isPresent();
        assertThat(at(NOON.plusSeconds(60)).find(ended.id(), "anna")).isEmpty();
        assertThat(at(NOON.plusSeconds(60)).find(running.id(), "anna")).isPresent();
    }

    @Test
    void abandoned_ones_are_listed_from_the_oldest() {
        var second =
                at(NOON.plusSeconds(1)).start(Definition.TASK, "a", data(""), Optional.empty());
        var first = started();
        var ended = started();
        processes.move(ended.id(), "failed", data(""), "test", "");
        assertThat(processes.abandoned(first.definition())).containsExactly(first, second);
    }

    @Test
    void sweeping_forgets_ended_processes_whose_time_is_over_with_their_history() {
        var keep = Optional.of(Duration.ofMinutes(1));
        var ended = processes.start(Definition.TASK, "anna", data(""), keep);
        processes.move(ended.id(), "completed", data(""), "test", "");
        var running = processes.start(Definition.TASK, "anna", data(""), keep);
        var forEver = started();
        processes.move(forEver.id(), "completed", data(""), "test", "");

        assertThat(at(NOON.plusMillis(59_999)).sweep()).isZero();
        assertThat(at(NOON.plusMillis(60_000)).sweep()).isEqualTo(1);
        assertThat(processes.find(ended.id(), "anna")).isEmpty();
        assertThat(processes.history(ended.id())).isEmpty();
        assertThat(processes.find(running.id(), "anna")).isPresent();
        assertThat(processes.find(forEver.id(), "anna")).isPresent();
    }

    @Test
    void sweeping_goes_on_beyond_one_batch() throws Exception {
        var count = StoredProcesses.SWEEP_BATCH + 7;
        var jobs = new ArrayList<Callable<Boolean>>();
        for (var i = 0; i < count; i++) {
            jobs.add(() -> {
                var keep = Optional.of(Duration.ZERO);
                var one = processes.start(Definition.TASK, "anna", data(""), keep);
                return processes.move(one.id(), "failed", data(""), "test", "").isPresent();
            });
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(jobs)) {
                assertThat(done.get()).isTrue();
            }
        }
        assertThat(processes.sweep()).isEqualTo(count);
    }

    /// Tasks under way, and those of whoever has little, stay.
    @Test
    void when_results_take_too_much_room_whoever_has_most_loses_its_oldest() {
        var few = new StoredProcesses(store, Clock.systemUTC(), 100_000);
        var large = data("x".repeat(10_000));
        var berts = few.start(Definition.TASK, "bert", data(""), Optional.empty());
        few.move(berts.id(), "completed", large, "server", "done");
        var working = few.start(Definition.TASK, "anna", large, Optional.empty());
        var first = few.start(Definition.TASK, "anna", data(""), Optional.empty());
        few.move(first.id(), "completed", large, "server", "done");
        var last = first;
        for (var i = 0; i < 20; i++) {
            last = few.start(Definition.TASK, "anna", data(""), Optional.empty());
            few.move(last.id(), "completed", large, "server", "done");
            assertThat(bytes()).isLessThanOrEqualTo(100_000);
        }
        assertThat(few.find(berts.id(), "bert")).isPresent();
        assertThat(few.find(working.id(), "anna")).isPresent();
        assertThat(few.find(last.id(), "anna")).isPresent();
        assertThat(few.find(first.id(), "anna")).isEmpty();
        assertThat(few.sweep()).isZero();
    }

    private long bytes() {
        return store.read(handle ->
                handle.query("SELECT SUM(LENGTH(data)) FROM process WHERE ended_at IS NOT NULL")
                        .mapTo(Long.class)
                        .one());
    }
}
