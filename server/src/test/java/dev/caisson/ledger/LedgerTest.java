package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Judgement;
import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LedgerTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123Z");

    private Ledger ledger;

    @BeforeEach
    void open() {
        ledger = new Ledger(store);
    }

    /// The newest first.
    static List<LinkedEntry> all(Ledger ledger) {
        var all = new ArrayList<LinkedEntry>();
        var before = OptionalLong.empty();
        do {
            var page = ledger.page(LedgerFilter.ALL, before, Ledger.PAGE_MAX);
            all.addAll(page.entries());
            before = page.next();
        } while (before.isPresent());
        return all;
    }

    static Entry entry(String caller, String tool) {
        return new Entry(
                NOON,
                caller,
                "mcp",
                tool,
                "sha256:" + "a".repeat(64),
                Optional.of("sha256:" + "c".repeat(64)),
                42,
                "success",
                Duration.ofNanos(1_234_000),
                Optional.empty(),
                3,
                "0123456789abcdef0123456789abcdef");
    }

    private void append(int count) {
        for (var i = 1; i <= count; i++) {
            ledger.append(entry("anna", "tool_" + i));
        }
    }

    private void appendTogether(int count) throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var jobs = new ArrayList<Callable<LinkedEntry>>();
            for (var i = 0; i < count; i++) {
                jobs.add(() -> ledger.append(entry("anna", "run")));
            }
            threads.invokeAll(jobs);
        }
    }

    private void tamper(String... statements) {
        store.write(handle -> {
            for (var statement : statements) {
                handle.execute(statement);
            }
            return true;
        });
    }

    private List<String> findings() {
        return ledger.verify(Optional.empty()).findings().stream().map(Finding::sentence).toList();
    }

    private static Entry about(Entry.Subject subject) {
        var plain = entry("anna", "run");
        return new Entry(
                plain.at(),
                plain.caller(),
                plain.door(),
                plain.tool(),
                plain.argumentsHash(),
                plain.codeHash(),
                plain.resultBytes(),
                plain.status(),
                plain.duration(),
                plain.approval(),
                plain.redactions(),
                plain.traceId(),
                subject);
    }

    /// Whoever has an old ledger can go on verifying it.
    @Test
    void entries_without_an_execution_have_the_form_they_had() {
        var old =
                about(
                        new Entry.Subject(
                                Optional.of("exe_1"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
        assertThat(new String(EntryEncoding.of(old), StandardCharsets.UTF_8)).endsWith("5:exe_1--");
        var nested =
                about(
                        new Entry.Subject(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of("exe_1")));
        assertThat(new String(EntryEncoding.of(nested), StandardCharsets.UTF_8))
                .endsWith("---5:exe_1");
    }

    /// What was decided by is appended only where something was.
    @Test
    void a_judgement_stands_behind_an_execution_or_where_it_would_be() {
        var direct = judged(Optional.empty());
        assertThat(new String(EntryEncoding.of(about(direct)), StandardCharsets.UTF_8))
                .endsWith("----2:v11:a");
        var nested = judged(Optional.of("exe_1"));
        assertThat(new String(EntryEncoding.of(about(nested)), StandardCharsets.UTF_8))
                .endsWith("---5:exe_12:v11:a");
    }

    private static Entry.Subject judged(Optional<String> execution) {
        return new Entry.Subject(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                execution,
                Optional.of(new Judgement("v1", "a")));
    }

    @Test
    void what_an_entry_is_about_is_kept_and_sealed() {
        var subjects =
                List.of(
                        Entry.Subject.NONE,
                        Entry.Subject.key(Optional.of("k1")),
                        new Entry.Subject(
                                Optional.of("exe_1"),
                                Optional.of("hmac:1"),
                                Optional.empty(),
                                Optional.empty()),
                        new Entry.Subject(
                                Optional.of("exe_1"),
                                Optional.empty(),
                                Optional.of("hmac:1"),
                                Optional.empty()),
                        new Entry.Subject(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of("exe_1")),
                        judged(Optional.empty()),
                        judged(Optional.of("exe_1")));
        for (var subject : subjects) {
            var linked = ledger.append(about(subject));
            assertThat(linked.entry().subject()).isEqualTo(subject);
            assertThat(EntryEncoding.read(EntryEncoding.of(about(subject))))
                    .isEqualTo(about(subject));
        }
        assertThat(all(ledger).reversed())
                .extracting(each -> each.entry().subject())
                .isEqualTo(subjects);
        assertThat(findings()).isEmpty();

        tamper("UPDATE ledger_entry SET key_id = 'k2' WHERE sequence = 2");
        tamper("UPDATE ledger_entry SET execution_id = 'exe_2' WHERE sequence = 3");
        tamper("UPDATE ledger_entry SET execution_id = 'exe_2' WHERE sequence = 1");
        tamper("UPDATE ledger_entry SET execution = NULL WHERE sequence = 5");
        tamper("UPDATE ledger_entry SET rule = 'b' WHERE sequence = 6");
        tamper("UPDATE ledger_entry SET policy = 'v2' WHERE sequence = 7");

        assertThat(findings())
                .containsExactly(
                        "Entry 1 was changed.",
                        "Entry 2 was changed.",
                        "Entry 3 was changed.",
                        "Entry 5 was changed.",
                        "Entry 6 was changed.",
                        "Entry 7 was changed.");
    }

    /// A ledger of before entries had subjects is still intact.
    @Test
    void an_entry_about_nothing_has_the_form_it_always_had() {
        var form = new String(EntryEncoding.of(entry("anna", "run")), StandardCharsets.UTF_8);
        assertThat(form).endsWith("1:332:0123456789abcdef0123456789abcdef");
    }

    @Test
    void an_entry_is_kept_with_every_field() {
        var odd =
                new Entry(
                        NOON,
                        "bert",
                        "rest",
                        "wérkzeug \"1\"",
                        "sha256:" + "b".repeat(64),
                        Optional.empty(),
                        0,
                        "refused:unknown_tool",
                        Duration.ZERO,
                        Optional.of("approved"),
                        0,
                        "f".repeat(32));
        var first = ledger.append(entry("anna", "run"));
        var second = ledger.append(odd);
        assertThat(first.sequence()).isEqualTo(1);
        assertThat(first.previousHash()).isEqualTo(LedgerHead.NONE.hash());
        assertThat(second.previousHash()).isEqualTo(first.hash());
        assertThat(second.entry()).isEqualTo(odd);
        assertThat(ledger.page(LedgerFilter.ALL, OptionalLong.empty(), 10).entries())
                .containsExactly(second, first);
        assertThat(ledger.head()).isEqualTo(new LedgerHead(2, second.hash()));
    }

    @Test
    void an_empty_ledger_and_an_untouched_one_are_intact() {
        assertThat(ledger.verify(Optional.empty()))
                .isEqualTo(new Verification(0, LedgerHead.NONE, List.of(), true));
        append(5);
        var verification = ledger.verify(Optional.of(ledger.head()));
        assertThat(verification.intact()).isTrue();
        assertThat(verification.entries()).isEqualTo(5);
        assertThat(verification.head()).isEqualTo(ledger.head());
    }

    @Test
    void the_chain_goes_on_after_opening_again() {
        append(2);
        store.close();
        store = database.open();
        ledger = new Ledger(store);
        append(2);
        assertThat(ledger.verify(Optional.empty()).entries()).isEqualTo(4);
        assertThat(findings()).isEmpty();
    }

    @Test
    void many_callers_in_two_processes_make_one_chain() throws Exception {
        var count = 200;
        try (var other = database.open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ledgers = List.of(ledger, new Ledger(other));
            var jobs = new ArrayList<Callable<LinkedEntry>>();
            for (var i = 0; i < count; i++) {
                var one = ledgers.get(i % 2);
                var tool = "tool_" + i;
                jobs.add(() -> one.append(entry("anna", tool)));
            }
            for (var done : threads.invokeAll(jobs)) {
                assertThat(done.get().entry().caller()).isEqualTo("anna");
            }
        }
        var verification = ledger.verify(Optional.empty());
        assertThat(verification.findings()).isEmpty();
        assertThat(verification.entries()).isEqualTo(count);
    }

    @Test
    void a_changed_entry_is_named_whatever_was_changed() {
        append(1);
        var columns =
                List.of(
                        "at",
                        "caller",
                        "door",
                        "tool",
                        "arguments_hash",
                        "code_hash",
                        "result_bytes",
                        "status",
                        "duration_micros",
                        "approval",
                        "redactions",
                        "trace_id");
        var numbers = List.of("at", "result_bytes", "duration_micros", "redactions");
        for (var column : columns) {
            ledger.append(entry("anna", "more"));
            var last = ledger.head().sequence();
            var value = numbers.contains(column) ? "7" : "'other'";
            tamper(
                    "UPDATE ledger_entry SET "
                            + column
                            + " = "
                            + value
                            + " WHERE sequence = "
                            + last);
            assertThat(findings()).as(column).contains("Entry " + last + " was changed.");
        }
        assertThat(findings()).hasSize(columns.size());
    }

    @Test
    void a_text_that_moves_from_one_field_to_the_next_is_a_change() {
        ledger.append(entry("anna", "run"));
        tamper("UPDATE ledger_entry SET caller = 'ann', door = 'amcp'");
        assertThat(findings()).containsExactly("Entry 1 was changed.");
    }

    @Test
    void an_exchanged_entry_is_named_though_its_hash_was_made_anew() {
        append(3);
        var before = ledger.page(LedgerFilter.ALL, OptionalLong.empty(), 10).entries().get(1);
        var forged = entry("mallory", "nothing");
        tamper(
                "UPDATE ledger_entry SET caller = 'mallory', tool = 'nothing', hash = '%s' WHERE sequence = 2"
                        .formatted(Chain.hash(before.previousHash(), EntryEncoding.of(forged))));
        assertThat(findings())
                .containsExactly("Entry 2 was exchanged for another, or one after it was removed.");
    }

    @Test
    void removed_entries_are_named_at_the_beginning_in_the_middle_and_at_the_end() {
        append(9);
        tamper("DELETE FROM ledger_entry WHERE sequence IN (1, 4, 5, 8, 9)");
        assertThat(findings())
                .containsExactly(
                        "Entry 1 was removed.",
                        "Entries 4 to 5 were removed.",
                        "Entries 8 to 9 were removed.");
    }

    @Test
    void a_ledger_that_was_emptied_is_found() {
        append(3);
        tamper("DELETE FROM ledger_entry");
        assertThat(findings()).containsExactly("Entries 1 to 3 were removed.");
    }

    @Test
    void a_removal_with_the_rest_numbered_anew_is_found() {
        append(4);
        tamper(
                "DELETE FROM ledger_entry WHERE sequence = 2",
                "UPDATE ledger_entry SET sequence = 2 WHERE sequence = 3",
                "UPDATE ledger_entry SET sequence = 3 WHERE sequence = 4");
        assertThat(findings())
                .containsExactly(
                        "Entry 1 was exchanged for another, or one after it was removed.",
                        "Entry 4 was removed.");
    }

    @Test
    void reordered_entries_are_named() {
        append(5);
        tamper(
                "UPDATE ledger_entry SET sequence = 99 WHERE sequence = 2",
                "UPDATE ledger_entry SET sequence = 2 WHERE sequence = 3",
                "UPDATE ledger_entry SET sequence = 3 WHERE sequence = 99");
        assertThat(findings())
                .containsExactly(
                        "Entry 2 was moved: it was written after entry 3.",
                        "Entry 3 was moved: it was written after entry 1.",
                        "Entry 4 was moved: it was written after entry 2.");
    }

    @Test
    void entries_behind_the_head_and_a_lost_head_are_found() {
        append(2);
        var head = ledger.head();
        var forged = entry("mallory", "run");
        append(1);
        tamper(
                "UPDATE ledger_head SET sequence = 2, hash = '" + head.hash() + "'",
                "UPDATE ledger_entry SET caller = 'mallory', hash = '%s' WHERE sequence = 3"
                        .formatted(Chain.hash(head.hash(), EntryEncoding.of(forged))));
        assertThat(findings()).containsExactly("Entries 3 to 3 were added from outside.");
        tamper("DELETE FROM ledger_head");
        assertThat(findings()).containsExactly("Entries 1 to 3 were added from outside.");
    }

    @Test
    void a_ledger_made_anew_does_not_lead_through_a_head_noted_down_before() {
        append(3);
        var noted = ledger.head();
        append(1);
        assertThat(ledger.verify(Optional.of(noted)).findings()).isEmpty();
        tamper(
                "DELETE FROM ledger_entry",
                "UPDATE ledger_head SET sequence = 0, hash = '" + LedgerHead.NONE.hash() + "'");
        append(2);
        assertThat(ledger.verify(Optional.of(noted)).findings())
                .containsExactly(new Finding.Rewritten(noted));
        append(2);
        tamper("UPDATE ledger_entry SET caller = 'anna'");
        assertThat(ledger.verify(Optional.empty()).intact()).isTrue();
    }

    @Test
    void a_walk_goes_beyond_one_page_and_ends_after_many_findings() throws Exception {
        var count = Ledger.PAGE_MAX + 5;
        appendTogether(count);
        assertThat(ledger.verify(Optional.empty()).entries()).isEqualTo(count);
        var lines = new StringWriter();
        assertThat(ledger.export(lines)).isEqualTo(count);
        assertThat(lines.toString().lines()).hasSize(count);

        tamper(
                "UPDATE ledger_entry SET caller = 'bert' WHERE sequence <= "
                        + Verifier.FINDINGS_MAX);
        var many = ledger.verify(Optional.empty());
        assertThat(many.findings()).hasSize(Verifier.FINDINGS_MAX);
        assertThat(many.complete()).isFalse();
        tamper("UPDATE ledger_entry SET caller = 'anna' WHERE sequence > 1");
        assertThat(ledger.verify(Optional.empty()).complete()).isTrue();
    }

    @Test
    void pages_follow_each_other_without_gap_and_without_what_came_meanwhile() {
        append(5);
        var first = ledger.page(LedgerFilter.ALL, OptionalLong.empty(), 2);
        append(1);
        var second = ledger.page(LedgerFilter.ALL, first.next(), 2);
        var third = ledger.page(LedgerFilter.ALL, second.next(), 2);
        assertThat(first.entries()).extracting(LinkedEntry::sequence).containsExactly(5L, 4L);
        assertThat(second.entries()).extracting(LinkedEntry::sequence).containsExactly(3L, 2L);
        assertThat(third.entries()).extracting(LinkedEntry::sequence).containsExactly(1L);
        assertThat(third.next()).isEmpty();
        for (var size : new int[] {0, Ledger.PAGE_MAX + 1}) {
            assertThatThrownBy(() -> ledger.page(LedgerFilter.ALL, OptionalLong.empty(), size))
                    .hasMessageContaining("1 to 1000");
        }
        assertThat(ledger.page(LedgerFilter.ALL, OptionalLong.empty(), Ledger.PAGE_MAX).entries())
                .hasSize(6);
    }

    @Test
    void a_search_that_takes_too_long_ends_with_a_short_page_and_goes_on_from_there()
            throws Exception {
        ledger.append(entry("bert", "run"));
        appendTogether(LedgerScan.STEP_ENTRIES);
        var filter = filter("bert", null, null, null, null);
        var scan = ledger.scan(filter, OptionalLong.empty(), 10, Duration.ZERO);

        assertThat(scan.next()).as("another step within the time").isFalse();
        assertThat(scan.page().entries()).isEmpty();
        assertThat(scan.page().next()).hasValue(2);
        var rest = ledger.page(filter, scan.page().next(), 10);
        assertThat(rest.entries()).extracting(LinkedEntry::sequence).containsExactly(1L);
        assertThat(rest.next()).isEmpty();
        assertThat(seen(filter)).as("in several steps").containsExactly(1L);
    }

    @Test
    void a_filter_leaves_what_it_names() {
        ledger.append(entry("anna", "run"));
        ledger.append(entry("bert", "run"));
        ledger.append(entry("anna", "read"));
        assertThat(seen(filter("anna", null, null, null, null))).containsExactly(3L, 1L);
        assertThat(seen(filter(null, "run", null, null, null))).containsExactly(2L, 1L);
        assertThat(seen(filter(null, null, "failed", null, null))).isEmpty();
        assertThat(seen(filter("anna", "run", "success", NOON, NOON.plusMillis(1))))
                .containsExactly(1L);
        assertThat(seen(filter(null, null, null, NOON.plusMillis(1), null))).isEmpty();
        assertThat(seen(filter(null, null, null, null, NOON))).isEmpty();
    }

    private static LedgerFilter filter(
            @Nullable String caller,
            @Nullable String tool,
            @Nullable String status,
            @Nullable Instant from,
            @Nullable Instant until) {
        return new LedgerFilter(
                Optional.ofNullable(caller),
                Optional.ofNullable(tool),
                Optional.ofNullable(status),
                Optional.ofNullable(from),
                Optional.ofNullable(until));
    }

    private List<Long> seen(LedgerFilter filter) {
        return ledger.page(filter, OptionalLong.empty(), 10).entries().stream()
                .map(LinkedEntry::sequence)
                .toList();
    }

    @Test
    void an_export_is_lines_of_json_from_which_the_chain_can_be_checked() throws Exception {
        append(2);
        var out = new StringWriter();
        assertThat(ledger.export(out)).isEqualTo(2);
        var lines = out.toString().lines().map(Json::parse).toList();
        assertThat(lines).hasSize(2);
        var line = lines.getLast();
        var form = new StringBuilder();
        for (var name :
                List.of(
                        "previous_hash",
                        "at",
                        "caller",
                        "door",
                        "tool",
                        "arguments_hash",
                        "code_hash",
                        "result_bytes",
                        "status",
                        "duration_micros",
                        "approval",
                        "redactions",
                        "trace_id")) {
            if (line.has(name)) {
                var text = line.get(name).asString();
                form.append(text.getBytes(StandardCharsets.UTF_8).length).append(':').append(text);
            } else {
                form.append('-');
            }
        }
        assertThat(line.get("hash").stringValue())
                .isEqualTo(Chain.sha256(form.toString().getBytes(StandardCharsets.UTF_8)));
        assertThat(line.get("previous_hash")).isEqualTo(lines.getFirst().get("hash"));
        assertThat(line.get("time").stringValue()).isEqualTo("2026-03-01T12:00:00.123Z");
        assertThat(line.get("sequence").longValue()).isEqualTo(2);
    }
}
