package dev.caisson.executions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.ReplyMode;
import dev.caisson.store.Journal;
import dev.caisson.store.SlotFile;
import dev.caisson.store.StoreTestCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class RunStartsTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String CODE = "print('\u0000 und ä')";
    private static final String STOPPED = "server stopped";

    @TempDir Path notes;
    @TempDir Path journals;
    private Journal journal;
    private ExecutionRecords records;

    @BeforeEach
    void open() {
        journal =
                store.journal(
                        journals,
                        List.of(ExecutionRecords.journaled(store, Clock.systemUTC(), STOPPED)));
        records = noting(NOON);
    }

    @AfterEach
    void close() {
        records.close();
        journal.close();
    }

    private ExecutionRecords noting(Instant moment) {
        var clock = Clock.fixed(moment, ZoneOffset.UTC);
        var fresh = ExecutionRecords.noting(store, clock, true, notes, journal);
        fresh.endLeft(STOPPED);
        return fresh;
    }

    static ExecutionRequest request() {
        return request("t");
    }

    private static ExecutionRequest request(String thread) {
        return new ExecutionRequest(
                Optional.of(thread),
                "python",
                "python 3.14",
                new ExecutionRequest.Allowed(30_000, 1 << 29, 0.5, 128),
                "sha256:cc",
                "sha256:dd",
                Optional.empty(),
                Optional.empty(),
                List.of("LANG"),
                "0123456789abcdef0123456789abcdef",
                ReplyMode.INLINE);
    }

    private static Completion success() {
        return Completion.without(ExecutionStatus.SUCCESS, "all is well");
    }

    private Optional<ExecutionRecord> find(String id) {
        return records.find(Optional.of("anna"), id);
    }

    private String status(String id) {
        return find(id).map(found -> found.status().word()).orElse("none");
    }

    private boolean inDatabase(String id) {
        return new ExecutionRecords(store, Clock.systemUTC(), true)
                .find(Optional.of("anna"), id)
                .isPresent();
    }

    private static void awaitKept(StartTicket begun) {
        Awaitility.await().until(begun::isKept);
    }

    private StartTicket start(String id) {
        var begun = records.start(id, "anna", request(), CODE, false);
        begun.awaitNoted();
        return begun;
    }

    /// What a process leaves that ends before the database has it.
    private void leave(String id) {
        var left = StartJournal.create(notes);
        var beginning = new RunStart(id, "anna", NOON.toEpochMilli(), request(), Optional.of(CODE));
        assertThat(left.put(beginning.form())).isPresent();
        left.close();
    }

    @Test
    void one_that_ends_soon_has_all_that_one_has_which_ends_late() {
        start("exe_soon");
        records.finish("exe_soon", success()).await();
        awaitKept(start("exe_late"));
        assertThat(inDatabase("exe_late")).isTrue();
        records.finish("exe_late", success()).await();
        assertThat(List.of("exe_soon", "exe_late"))
                .allSatisfy(id -> {
                    var found = find(id).orElseThrow();
                    assertThat(found.created()).isEqualTo(NOON);
                    assertThat(found.completed()).contains(NOON);
                    assertThat(found.completion()).contains(success());
                    assertThat(found.request()).isEqualTo(request());
                    assertThat(found.code()).contains(CODE);
                });
        store.settle();
        var bytes =
                store.read(handle ->
                        handle.query("SELECT bytes FROM execution").mapTo(Long.class).list());
        assertThat(bytes).hasSize(2);
        assertThat(bytes.getFirst()).isEqualTo(bytes.getLast()).isPositive();
    }

    @Test
    void one_that_goes_on_is_in_the_database_though_nobody_waits_for_it() {
        start("exe_1");
        Awaitility.await().until(() -> inDatabase("exe_1"));
        records.finish("exe_1", success()).await();
        assertThat(status("exe_1")).isEqualTo("success");
    }

    @Test
    void it_is_found_wherever_it_is() {
        start("exe_1");
        for (var name : List.of("exe_1", request().traceId())) {
            assertThat(records.find(Optional.of("anna"), name).orElseThrow().status())
                    .isEqualTo(ExecutionStatus.RUNNING);
            assertThat(records.find(Optional.of("bert"), name)).isEmpty();
        }
    }

    @Test
    void one_that_somebody_follows_is_in_the_database_before_it_begins() {
        records.start("exe_1", "anna", request(), CODE, true).awaitNoted();
        assertThat(inDatabase("exe_1")).isTrue();
    }

    @Test
    void a_name_that_not_every_database_takes_is_no_obstacle() {
        var request = request("zero\0byte");
        records.start("exe_1", "anna", request, CODE, false).awaitNoted();
        records.finish("exe_1", success()).await();
        assertThat(find("exe_1").orElseThrow().request().thread()).contains("zero\0byte");
        var filter =
                new ExecutionFilter(
                        Optional.of("zero\0byte"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        assertThat(records.list(Optional.of("anna"), filter, Optional.empty(), 10).executions())
                .hasSize(1);
    }

    @Test
    void a_note_that_cannot_be_read_stops_nobody() throws Exception {
        records.close();
        var left = StartJournal.create(notes);
        left.put("[1]".getBytes(UTF_8));
        left.close();
        leave("exe_1");
        records = noting(NOON);
        assertThat(status("exe_1")).isEqualTo("failed");
        records.close();
        assertThat(notes).isDirectoryContaining("glob:**.pending");
        records = noting(NOON);
    }

    @Test
    void nothing_of_a_program_stays_among_the_notes() throws Exception {
        start("exe_1");
        records.finish("exe_1", success()).await();
        Awaitility.await()
                .untilAsserted(() -> {
                    for (var place : List.of(notes, journals)) {
                        try (var files = Files.list(place)) {
                            for (var file : files.toList()) {
                                assertThat(new String(Files.readAllBytes(file), UTF_8))
                                        .doesNotContain("print");
                            }
                        }
                    }
                });
    }

    @Test
    void the_first_end_stays() {
        start("exe_1");
        records.finish("exe_1", success()).await();
        records.finish("exe_1", Completion.without(ExecutionStatus.FAILED, "no")).await();
        assertThat(status("exe_1")).isEqualTo("success");
    }

    @Test
    void what_a_process_left_has_failed_since_it_began() {
        records.close();
        leave("exe_1");
        records = noting(NOON.plusSeconds(9));
        var found = find("exe_1").orElseThrow();
        assertThat(found.created()).isEqualTo(NOON);
        assertThat(found.completed()).contains(NOON.plusSeconds(9));
        assertThat(found.completion().orElseThrow().ended().sentence()).contains(STOPPED);
        assertThat(found.code()).contains(CODE);
        records.close();
        assertThat(notes).isEmptyDirectory();
        records = noting(NOON);
    }

    @Test
    void what_a_process_left_and_the_database_has_too_is_there_once() {
        start("exe_ended");
        records.finish("exe_ended", success()).await();
        awaitKept(start("exe_running"));
        records.close();
        leave("exe_ended");
        leave("exe_running");
        records = noting(NOON);
        assertThat(status("exe_ended")).isEqualTo("success");
        assertThat(status("exe_running")).isEqualTo("failed");
        assertThat(records.unfinished()).isEmpty();
    }

    @Test
    void what_was_not_written_whole_is_not_taken() throws Exception {
        records.close();
        leave("exe_1");
        leave("exe_2");
        try (var files = Files.list(notes)) {
            var torn = files.sorted().toList().getFirst();
            var bytes = Files.readAllBytes(torn);
            bytes[SlotFile.HEAD_BYTES + 3] ^= 1;
            Files.write(torn, bytes);
        }
        records = noting(NOON);
        assertThat(List.of(status("exe_1"), status("exe_2")))
                .containsExactlyInAnyOrder("none", "failed");
    }

    @Test
    void that_of_a_living_process_is_left_alone() {
        start("exe_1");
        try (var other = noting(NOON)) {
            assertThat(
                            other.find(Optional.of("anna"), "exe_1")
                                    .flatMap(ExecutionRecord::completion))
                    .isEmpty();
        }
        records.finish("exe_1", success()).await();
        assertThat(status("exe_1")).isEqualTo("success");
    }

    @Test
    void a_long_program_is_in_the_database_before_it_begins() {
        records.start("exe_1", "anna", request(), "x".repeat(StartJournal.SLOT_BYTES), false)
                .awaitNoted();
        assertThat(inDatabase("exe_1")).isTrue();
    }

    @Test
    void there_is_room_for_so_many_and_so_long_a_form() {
        try (var few = StartJournal.create(notes)) {
            assertThat(few.put(new byte[StartJournal.SLOT_BYTES - SlotFile.HEAD_BYTES + 1]))
                    .isEmpty();
            for (int slot = 0; slot < StartJournal.SLOTS; slot++) {
                assertThat(few.put(new byte[StartJournal.SLOT_BYTES - SlotFile.HEAD_BYTES]))
                        .hasValue(slot);
            }
            assertThat(few.put(new byte[1])).isEmpty();
            few.clear(7);
            assertThat(few.put(new byte[1])).hasValue(7);
        }
    }

    @Test
    void while_nothing_can_be_written_no_further_program_begins_and_nothing_is_forgotten() {
        store.write(handle -> handle.execute("ALTER TABLE execution RENAME TO away"));
        start("exe_1");
        records.finish("exe_1", success()).await();
        assertThat(status("exe_1")).isEqualTo("success");
        assertThatThrownBy(() -> records.unfinished()).isNotNull();
        assertThatThrownBy(() -> start("exe_2")).isNotNull();
        store.write(handle -> handle.execute("ALTER TABLE away RENAME TO execution"));
        assertThat(records.unfinished()).isEmpty();
        assertThat(inDatabase("exe_1")).isTrue();
        start("exe_3");
        records.finish("exe_3", success()).await();
        assertThat(status("exe_3")).isEqualTo("success");
    }

    @Test
    void what_cannot_be_written_at_the_end_of_the_server_is_left_for_the_next() {
        store.write(handle -> handle.execute("ALTER TABLE execution RENAME TO away"));
        start("exe_1");
        records.close();
        store.write(handle -> handle.execute("ALTER TABLE away RENAME TO execution"));
        records = noting(NOON);
        assertThat(status("exe_1")).isEqualTo("failed");
    }

    @Test
    void many_at_once_are_all_there() throws Exception {
        int runs = 3 * StartJournal.SLOTS;
        var all = new ArrayList<Future<String>>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int run = 0; run < runs; run++) {
                var id = "exe_" + run;
                all.add(
                        executor.submit(() -> {
                            start(id);
                            Thread.sleep(Duration.ofMillis(id.hashCode() & 31));
                            records.finish(id, success()).await();
                            return id;
                        }));
            }
            for (var one : all) {
                one.get();
            }
        }
        store.settle();
        var ended =
                store.read(handle ->
                        handle.query("SELECT COUNT(*) FROM process WHERE state = 'success'")
                                .mapTo(Integer.class)
                                .one());
        assertThat(ended).isEqualTo(runs);
        assertThat(records.unfinished()).isEmpty();
    }
}
