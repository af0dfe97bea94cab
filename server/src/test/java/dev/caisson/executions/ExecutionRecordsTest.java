package dev.caisson.executions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ReplyMode;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.StoreTestCase;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.StoredProcesses;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
final class ExecutionRecordsTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final String CODE = "print('\u0000 und ä')";

    private static final String TRACE = "0123456789abcdef0123456789abcdef";

    private ExecutionRecords at(Instant moment) {
        return new ExecutionRecords(store, Clock.fixed(moment, ZoneOffset.UTC), true);
    }

    private static ExecutionRequest request(@Nullable String thread, String language) {
        return new ExecutionRequest(
                Optional.ofNullable(thread),
                language,
                language + " 3.14",
                new ExecutionRequest.Allowed(30_000, 1 << 29, 0.5, 128),
                "sha256:cc",
                "sha256:dd",
                Optional.of(
                        new CallOrigin(
                                "run_code",
                                "1.2.3",
                                "sha256:ee",
                                "python",
                                new Provenance(
                                        Optional.of("art-1"),
                                        Optional.empty(),
                                        Optional.of("doc-1"),
                                        Optional.empty()))),
                Optional.of(Json.object().put("ticket", 7)),
                List.of("LANG"),
                TRACE,
                ReplyMode.INLINE);
    }

    private static Completion completion(ExecutionStatus status, long stored) {
        return new Completion(
                new Ended(status, Optional.of(0), Optional.empty(), Optional.of("all is well")),
                new RunUsage(1, 2, 3, 4, Optional.of("warm")),
                new StreamFigures(10, stored, false),
                new StreamFigures(900, 0, true),
                List.of(new LeftFile("a/b.png", 5, "image/png", true)),
                12,
                Optional.of("sha256:ee"),
                2,
                Optional.of(
                        new ReturnedValue(
                                Optional.of(Json.array().add(1).add("two")),
                                Optional.of(new ReturnedValue.DataFile("/workspace/value.json", 9)),
                                Optional.of("a note"),
                                Optional.of(0L))),
                Optional.of(
                        new EndNotes(
                                List.of(new EndNotes.Form("text/html", "<b>a\0b \ud83d\ude00</b>")),
                                Optional.of("Do less."),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(
                                        List.of(
                                                use("a.example", "allowed"),
                                                use("b.example", "denied"))))));
    }

    private static NetworkUse use(String host, String verdict) {
        return new NetworkUse(
                host, 443, verdict, 2, 30, 400, "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z");
    }

    @Test
    void what_was_asked_of_the_network_is_found_by_host_as_long_as_the_execution_is_kept() {
        var id = ended(NOON, ExecutionStatus.SUCCESS, 0);
        assertThat(hosts(id)).containsExactly("a.example", "b.example");
        var _ =
                store.write(handle -> {
                    ExecutionRows.delete(handle, List.of(new ExecutionRows.Old(id, "anna", 0)));
                    return true;
                });
        assertThat(hosts(id)).isEmpty();
    }

    private List<String> hosts(String id) {
        return store.read(handle ->
                handle.query("SELECT host FROM network_use WHERE execution_id = :id ORDER BY host")
                        .bind("id", id)
                        .mapTo(String.class)
                        .list());
    }

    private String started(Instant moment, String owner, @Nullable String thread, String language) {
        var id = ExecutionRecords.freshId();
        at(moment).start(id, owner, request(thread, language), CODE, true).awaitNoted();
        return id;
    }

    private String ended(Instant moment, ExecutionStatus status, long stored) {
        var id = started(moment, "anna", "t", "python");
        at(moment).finish(id, completion(status, stored)).await();
        return id;
    }

    @Test
    void a_started_execution_is_found_running_by_its_owner_alone() {
        var records = at(NOON);
        var id = ExecutionRecords.freshId();
        records.start(id, "anna", request("t", "python"), CODE, true).awaitNoted();
        var record = records.find(Optional.of("anna"), id).orElseThrow();
        assertThat(record.status()).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(record.created()).isEqualTo(NOON);
        assertThat(record.request()).isEqualTo(request("t", "python"));
        assertThat(record.code()).contains(CODE);
        assertThat(records.find(Optional.of("bert"), id)).isEmpty();
        assertThat(records.find(Optional.of("anna"), "exe_0")).isEmpty();
        assertThat(id).matches("exe_[0-9a-f]{32}");
    }

    @Test
    void a_finished_one_has_all_of_its_completion_and_no_row_that_nobody_reads() {
        var id = started(NOON, "anna", null, "bash");
        var end = NOON.plusSeconds(2);
        var completion = completion(ExecutionStatus.OOM, 10);
        at(end).finish(id, completion).await();
        var found = at(end).find(Optional.of("anna"), id).orElseThrow();
        assertThat(found.status()).isEqualTo(ExecutionStatus.OOM);
        assertThat(found.completion()).contains(completion);
        assertThat(found.completed()).contains(end);
        assertThat(found.created()).isEqualTo(NOON);
        assertThat(found.request()).isEqualTo(request(null, "bash"));
        assertThat(new StoredProcesses(store, Clock.systemUTC()).history(id)).isEmpty();
    }

    @Test
    void the_first_end_stays() {
        var id = ended(NOON, ExecutionStatus.SUCCESS, 0);
        at(NOON).finish(id, completion(ExecutionStatus.FAILED, 0)).await();
        assertThat(at(NOON).find(Optional.of("anna"), id).orElseThrow().status())
                .isEqualTo(ExecutionStatus.SUCCESS);
        at(NOON).finish("exe_0", completion(ExecutionStatus.FAILED, 0)).await();
        assertThat(at(NOON).find(Optional.of("anna"), "exe_0")).isEmpty();
    }

    @Test
    void statuses_are_the_states_of_the_process() {
        var words = new TreeSet<String>();
        for (var status : ExecutionStatus.values()) {
            words.add(status.word());
        }
        var states = new TreeSet<>(Definition.EXECUTION.terminal().keySet());
        states.add(Definition.EXECUTION.initial());
        assertThat(words).hasSize(7).isEqualTo(states);
        for (var state : Definition.EXECUTION.terminal().keySet()) {
            assertThat(Definition.EXECUTION.allows("running", state)).isTrue();
        }
    }

    @Test
    void code_is_not_kept_where_the_operator_does_not_want_it() {
        var records = new ExecutionRecords(store, Clock.systemUTC(), false);
        var id = ExecutionRecords.freshId();
        records.start(id, "anna", request("t", "python"), CODE, true).awaitNoted();
        var found = records.find(Optional.of("anna"), id).orElseThrow();
        assertThat(found.code()).isEmpty();
        assertThat(found.request().codeHash()).isEqualTo("sha256:cc");
    }

    @Test
    void a_start_that_fails_leaves_nothing() {
        var id = started(NOON, "anna", "t", "python");
        assertThatThrownBy(() ->
                        at(NOON).start(id, "bert", request("t", "python"), CODE, true).awaitNoted())
                .hasMessage("there is a process " + id);
        assertThat(at(NOON).unfinished())
                .extracting(ExecutionRecord::owner)
                .containsExactly("anna");
    }

    @Test
    void lists_are_paged_from_the_newest_and_nothing_shifts_them() {
        var ids = new ArrayList<String>();
        for (var i = 0; i < 5; i++) {
            // Two at the same moment, so that a page ends between them.
            ids.add(started(NOON.plusSeconds(i / 2), "anna", "t", "python"));
        }
        started(NOON, "bert", "t", "python");
        var seen = new ArrayList<String>();
        var cursor = Optional.<String>empty();
        do {
            var page = at(NOON).list(Optional.of("anna"), ExecutionFilter.ALL, cursor, 2);
            page.executions().forEach(one -> seen.add(one.id()));
            started(NOON.plusSeconds(100), "anna", "t", "python");
            cursor = page.next();
        } while (cursor.isPresent());
        assertThat(seen).hasSize(5).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(seen.getFirst()).isEqualTo(ids.getLast());
    }

    @Test
    void a_filter_leaves_what_it_names() {
        var one = started(NOON, "anna", "one", "python");
        var two = started(NOON.plusSeconds(1), "anna", "two", "bash");
        at(NOON).finish(two, completion(ExecutionStatus.FAILED, 0)).await();
        assertThat(seen(filter("one", null, null, null, null))).containsExactly(one);
        assertThat(seen(filter(null, ExecutionStatus.FAILED, null, null, null)))
                .containsExactly(two);
        assertThat(seen(filter(null, null, "bash", null, null))).containsExactly(two);
        assertThat(seen(filter(null, null, null, NOON.plusSeconds(1), null))).containsExactly(two);
        assertThat(seen(filter(null, null, null, null, NOON.plusSeconds(1)))).containsExactly(one);
        assertThat(seen(filter("one", ExecutionStatus.FAILED, null, null, null))).isEmpty();
    }

    private static ExecutionFilter filter(
            @Nullable String thread,
            @Nullable ExecutionStatus status,
            @Nullable String language,
            @Nullable Instant from,
            @Nullable Instant until) {
        return new ExecutionFilter(
                Optional.ofNullable(thread),
                Optional.ofNullable(status),
                Optional.ofNullable(language),
                Optional.empty(),
                Optional.ofNullable(from),
                Optional.ofNullable(until));
    }

    private List<String> seen(ExecutionFilter filter) {
        return at(NOON)
                .list(Optional.of("anna"), filter, Optional.empty(), 10)
                .executions()
                .stream()
                .map(ListedExecution::id)
                .toList();
    }

    private static ExecutionFilter text(String text) {
        return new ExecutionFilter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(text),
                Optional.empty(),
                Optional.empty());
    }

    private String ran(String code) {
        var id = ExecutionRecords.freshId();
        at(NOON).start(id, "anna", request("t", "python"), code, true).awaitNoted();
        return id;
    }

    @Test
    void a_search_through_much_ends_in_time_and_goes_on_with_the_next_page() {
        var wanted = new ArrayList<String>();
        for (var i = 0; i < 9; i++) {
            var id = ran((i % 3 == 0 ? "needle" : "hay") + "x".repeat(400_000));
            if (i % 3 == 0) {
                wanted.add(id);
            }
        }
        var seen = new ArrayList<String>();
        var pages = 0;
        var cursor = Optional.<String>empty();
        do {
            var scan =
                    at(NOON).scan(
                                    Optional.of("anna"),
                                    text("needle"),
                                    cursor,
                                    10,
                                    Duration.ofNanos(1));
            assertThat(scan.next()).as("another step").isFalse();
            scan.page().executions().forEach(one -> seen.add(one.id()));
            cursor = scan.page().next();
            pages++;
        } while (cursor.isPresent());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(pages).isGreaterThan(3);
    }

    @Test
    void a_page_of_a_search_ends_where_it_is_full() {
        for (var i = 0; i < 5; i++) {
            ran("needle " + i);
        }
        var records = at(NOON);
        var first = records.list(Optional.of("anna"), text("needle"), Optional.empty(), 3);
        var second = records.list(Optional.of("anna"), text("needle"), first.next(), 3);
        assertThat(first.executions()).hasSize(3);
        assertThat(second.executions()).hasSize(2).doesNotContainAnyElementsOf(first.executions());
        assertThat(second.next()).isEmpty();
    }

    @Test
    void a_text_is_found_in_programs_and_ids_and_means_itself() {
        var percent = ran("print(\"100%\\n\")\nÄpfel = 1");
        var other = ran("x_y = 'A'");
        assertThat(seen(text("PRINT(\"100%\\N\")\n"))).containsExactly(percent);
        assertThat(seen(text("Äpfel"))).containsExactly(percent);
        assertThat(seen(text("x_y"))).containsExactly(other);
        assertThat(seen(text("xay"))).isEmpty();
        assertThat(seen(text("!"))).isEmpty();
        assertThat(seen(text(other.substring(4, 20)))).containsExactly(other);
        assertThat(seen(text(TRACE))).containsExactlyInAnyOrder(percent, other);
        assertThat(seen(text("x".repeat(ExecutionFilter.TEXT_LENGTH_MAX)))).isEmpty();
        assertThatThrownBy(() -> text("x".repeat(ExecutionFilter.TEXT_LENGTH_MAX + 1)))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void lists_show_how_programs_begin() {
        ran("a\u0000\ud800\n" + "ä".repeat(300));
        var shown =
                at(NOON).list(Optional.of("anna"), ExecutionFilter.ALL, Optional.empty(), 1)
                        .executions()
                        .getFirst();
        assertThat(shown.preview()).contains("a\ufffd\ufffd\n" + "ä".repeat(196));
    }

    @Test
    void a_line_of_a_list_says_how_it_ended() {
        var done = ended(NOON, ExecutionStatus.OOM, 0);
        var running = started(NOON.plusSeconds(1), "anna", null, "bash");
        assertThat(lines())
                .containsExactly(
                        new ListedExecution(
                                running,
                                "anna",
                                ExecutionStatus.RUNNING,
                                NOON.plusSeconds(1),
                                Optional.empty(),
                                TRACE,
                                "bash",
                                Optional.empty(),
                                "inline",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(Preview.of(CODE))),
                        new ListedExecution(
                                done,
                                "anna",
                                ExecutionStatus.OOM,
                                NOON,
                                Optional.of(NOON),
                                TRACE,
                                "python",
                                Optional.of("t"),
                                "inline",
                                Optional.of(0),
                                Optional.of(2L),
                                Optional.of(Preview.of(CODE))));
    }

    /// As a version wrote them that knew no lines.
    @Test
    void executions_without_lines_get_them() {
        ended(NOON, ExecutionStatus.FAILED, 0);
        started(NOON.plusSeconds(1), "anna", null, "bash");
        var written = lines();
        store.write(handle ->
                handle.execute(
                        "UPDATE execution_line"
                                + " SET delivery = NULL, exit_code = NULL, wall_millis = NULL"));
        assertThat(lines()).hasSize(2).doesNotContain(written.getLast());
        assertThat(at(NOON).readLines()).isEqualTo(2);
        assertThat(lines()).isEqualTo(written);
        assertThat(at(NOON).readLines()).isZero();
    }

    /// A list must not even look at what a former version let callers send along.
    @Test
    void what_is_too_large_is_in_no_list_and_is_left_out_of_the_whole() {
        var id = ended(NOON, ExecutionStatus.SUCCESS, 0);
        store.write(handle ->
                handle.update("UPDATE execution SET request = :large")
                        .bind(
                                "large",
                                Json.text(Records.tree(request("t", "python")))
                                        .replace(
                                                "\"ticket\":7",
                                                "\"ticket\":["
                                                        + "7,"
                                                                .repeat(
                                                                        ExecutionRows
                                                                                .REQUEST_LENGTH_MAX)
                                                        + "7]"))
                        .execute());
        var found = at(NOON).find(Optional.of("anna"), id).orElseThrow();
        assertThat(found.request().metadata()).isEmpty();
        assertThat(found.request().envNames()).containsExactly("LANG");
        assertThat(found.request().traceId()).isEqualTo(TRACE);

        store.write(handle -> handle.execute("UPDATE execution SET request = 'no JSON'"));
        assertThat(lines()).extracting(ListedExecution::id).containsExactly(id);
    }

    private List<ListedExecution> lines() {
        return at(NOON).list(Optional.of("anna"), ExecutionFilter.ALL, Optional.empty(), 10)
                .executions();
    }

    @Test
    void who_has_most_gives_first() {
        for (var i = 0; i < 5; i++) {
            ended(NOON.plusSeconds(10 + i), ExecutionStatus.SUCCESS, 10_000);
        }
        var berts = started(NOON, "bert", "t", "python");
        at(NOON).finish(berts, completion(ExecutionStatus.SUCCESS, 10_000)).await();
        var gone = new ArrayList<String>();
        var retention = new Retention(Optional.empty(), Optional.of(40_000L));
        at(NOON).sweep(retention, (owner, _) -> gone.add(owner));
        assertThat(gone).isNotEmpty().containsOnly("anna");
        assertThat(at(NOON).find(Optional.of("bert"), berts)).isPresent();
        assertThat(lines()).isNotEmpty();
    }

    @Test
    void one_is_found_by_its_trace_too_the_newest_of_it() {
        var old = started(NOON, "anna", "t", "python");
        var young = started(NOON.plusSeconds(1), "anna", "t", "python");
        var berts = started(NOON.plusSeconds(2), "bert", "t", "python");
        assertThat(at(NOON).find(Optional.of("anna"), TRACE).orElseThrow().id()).isEqualTo(young);
        assertThat(at(NOON).find(Optional.of("anna"), old)).isPresent();
        assertThat(at(NOON).find(Optional.of("carl"), TRACE)).isEmpty();
        assertThat(at(NOON).find(Optional.empty(), TRACE).orElseThrow().id()).isEqualTo(berts);
        assertThat(at(NOON).find(Optional.empty(), old)).isPresent();
    }

    @Test
    void who_may_see_all_sees_all() {
        var annas = started(NOON, "anna", "t", "python");
        var berts = started(NOON.plusSeconds(1), "bert", "t", "python");
        assertThat(
                        at(NOON).list(Optional.empty(), ExecutionFilter.ALL, Optional.empty(), 10)
                                .executions())
                .extracting(ListedExecution::id)
                .containsExactly(berts, annas);
    }

    @Test
    void sizes_and_cursors_that_make_no_sense_are_refused() {
        for (var size : new int[] {0, ExecutionRecords.PAGE_MAX + 1}) {
            assertThatThrownBy(() ->
                            at(NOON).list(
                                            Optional.of("a"),
                                            ExecutionFilter.ALL,
                                            Optional.empty(),
                                            size))
                    .hasMessageContaining("1 to 200");
        }
        var largest = ExecutionRecords.PAGE_MAX;
        assertThat(
                        at(NOON).list(
                                        Optional.of("a"),
                                        ExecutionFilter.ALL,
                                        Optional.empty(),
                                        largest)
                                .executions())
                .isEmpty();
        for (var cursor : Set.of("", "x", "1", "1.", ".a", "9".repeat(16) + ".a", "1.A b")) {
            assertThatThrownBy(() ->
                            at(NOON).list(
                                            Optional.of("a"),
                                            ExecutionFilter.ALL,
                                            Optional.of(cursor),
                                            1))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal ->
                                    assertThat(refusal.reason())
                                            .isEqualTo(Reason.INVALID_ARGUMENT));
        }
    }

    @Test
    void what_waited_when_the_server_stopped_is_settled_with_its_own_reason() {
        var done = ended(NOON, ExecutionStatus.SUCCESS, 0);
        var waited = started(NOON, "anna", "t", "python");
        var ran = started(NOON, "anna", "u", "python");
        assertThat(at(NOON).settleAbandoned(Set.of(waited, done, "exe_x"), "it waited"))
                .isEqualTo(1);
        var settled = at(NOON).find(Optional.of("anna"), waited).orElseThrow();
        assertThat(settled.status()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(settled.completion().orElseThrow().ended().sentence()).contains("it waited");
        assertThat(at(NOON).unfinished()).extracting(ExecutionRecord::id).containsExactly(ran);
        assertThat(at(NOON).settleAbandoned("server stopped")).isEqualTo(1);
    }

    @Test
    void what_ran_when_the_server_stopped_is_settled_and_the_rest_stays() {
        var done = ended(NOON, ExecutionStatus.SUCCESS, 0);
        var running = started(NOON, "anna", "t", "python");
        var task =
                new StoredProcesses(store, Clock.systemUTC())
                        .start(Definition.TASK, "anna", Json.object(), Optional.empty());
        assertThat(at(NOON).unfinished()).extracting(ExecutionRecord::id).containsExactly(running);

        assertThat(at(NOON.plusSeconds(9)).settleAbandoned("server stopped")).isEqualTo(1);
        var settled = at(NOON).find(Optional.of("anna"), running).orElseThrow();
        assertThat(settled.status()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(settled.completion().orElseThrow().ended().sentence())
                .contains("server stopped");
        assertThat(settled.completed()).contains(NOON.plusSeconds(9));
        assertThat(at(NOON).find(Optional.of("anna"), done).orElseThrow().status())
                .isEqualTo(ExecutionStatus.SUCCESS);
        assertThat(new StoredProcesses(store, Clock.systemUTC()).abandoned(Definition.TASK))
                .containsExactly(task);
        assertThat(at(NOON).settleAbandoned("server stopped")).isZero();
    }

    @Test
    void a_sweep_by_age_takes_what_ended_long_ago_and_never_what_runs() {
        var old = ended(NOON, ExecutionStatus.SUCCESS, 0);
        var young = ended(NOON.plusSeconds(1), ExecutionStatus.FAILED, 0);
        var running = started(NOON.minusSeconds(1000), "anna", "t", "python");
        var told = new ArrayList<String>();
        var minute = new Retention(Optional.of(Duration.ofSeconds(60)), Optional.empty());
        var swept = at(NOON.plusSeconds(60)).sweep(minute, (owner, id) -> told.add(owner + id));
        assertThat(swept).isEqualTo(1);
        assertThat(told).containsExactly("anna" + old);
        assertThat(at(NOON).find(Optional.of("anna"), old)).isEmpty();
        assertThat(at(NOON).find(Optional.of("anna"), young)).isPresent();
        assertThat(at(NOON).find(Optional.of("anna"), running)).isPresent();
        assertThat(at(NOON.plusSeconds(9999)).sweep(Retention.FOR_EVER, (_, _) -> {})).isZero();
    }

    @Test
    void a_sweep_by_size_takes_the_oldest_until_the_rest_fits() {
        var megabyte = 1L << 20;
        var first = ended(NOON, ExecutionStatus.SUCCESS, megabyte);
        var second = ended(NOON.plusSeconds(1), ExecutionStatus.SUCCESS, megabyte);
        var third = ended(NOON.plusSeconds(2), ExecutionStatus.SUCCESS, megabyte);
        var running = started(NOON.minusSeconds(9), "anna", "t", "python");
        var later = at(NOON.plusSeconds(10));
        assertThat(later.sweep(bytes(4 * megabyte), (_, _) -> {})).isZero();
        assertThat(later.sweep(bytes(2 * megabyte + 100_000), (_, _) -> {})).isEqualTo(1);
        assertThat(later.find(Optional.of("anna"), first)).isEmpty();
        assertThat(later.sweep(bytes(0), (_, _) -> {})).isEqualTo(2);
        assertThat(later.find(Optional.of("anna"), second)).isEmpty();
        assertThat(later.find(Optional.of("anna"), third)).isEmpty();
        assertThat(later.find(Optional.of("anna"), running)).isPresent();
    }

    private static Retention bytes(long max) {
        return new Retention(Optional.empty(), Optional.of(max));
    }

    @Test
    void a_completion_checks_itself() {
        assertThatThrownBy(() -> completion(ExecutionStatus.RUNNING, 0))
                .hasMessage("what is running is not complete");
        assertThat(files(Completion.FILES_MAX).files()).hasSize(Completion.FILES_MAX);
        assertThatThrownBy(() -> files(Completion.FILES_MAX + 1)).hasMessage("more than 200 files");
    }

    /// As it was kept before there was more to say.
    @Test
    void an_older_ending_is_still_read() {
        var old = Records.tree(completion(ExecutionStatus.SUCCESS, 0));
        old.remove("handed");
        old.remove("notes");
        ((ObjectNode) old.path("used")).remove("start");

        var read = Records.read(old, Completion.class);

        assertThat(read.handed()).isEmpty();
        assertThat(read.said()).isEqualTo(EndNotes.NONE);
        assertThat(read.used().start()).isEmpty();
        assertThat(read.used().cpuMillis()).isEqualTo(3);
    }

    private static Completion files(int count) {
        var file = new LeftFile("a", 1, "text/plain", false);
        var some = completion(ExecutionStatus.SUCCESS, 0);
        return new Completion(
                some.ended(),
                some.used(),
                some.stdout(),
                some.stderr(),
                Collections.nCopies(count, file),
                count,
                some.envelopeDigest(),
                some.redactions(),
                some.handed(),
                some.notes());
    }

    @Test
    void output_of_its_row_is_its_owners_alone_and_ends_by_age_and_by_size() {
        var now = Instant.ofEpochMilli(System.currentTimeMillis());
        var ids = new ArrayList<String>();
        for (var owner : List.of("anna", "anna", "bert")) {
            var id = started(now, owner, "t", "python");
            var records = at(now.plusSeconds(ids.size()));
            records.finish(id, completion(ExecutionStatus.SUCCESS, 0), Optional.of(new byte[100]))
                    .await();
            ids.add(id);
        }
        var records = at(now);
        assertThat(records.output("anna", ids.getFirst())).contains(new byte[100]);
        assertThat(records.output("bert", ids.getFirst())).isEmpty();
        assertThat(records.outputBytes()).isEqualTo(Map.of("anna", 200L, "bert", 100L));
        assertThat(records.forgetOutputBefore(now)).isZero();
        assertThat(records.forgetOutputOf("anna", 1)).isEqualTo(1);
        assertThat(records.outputBytes()).isEqualTo(Map.of("anna", 100L, "bert", 100L));
        assertThat(records.forgetOutputBefore(now.plusSeconds(1))).isZero();
        assertThat(records.forgetOutputBefore(now.plusSeconds(3))).isEqualTo(2);
        assertThat(records.outputBytes()).isEmpty();
        assertThat(ids)
                .allSatisfy(id -> assertThat(records.find(Optional.empty(), id)).isPresent());
    }
}
