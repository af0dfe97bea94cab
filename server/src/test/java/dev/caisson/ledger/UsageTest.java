package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.ledger.UsageQuery.Group;
import dev.caisson.store.StoreTestCase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Usage is the sum of the ledger, whoever sums it up and however often.
@Timeout(60)
final class UsageTest extends StoreTestCase {
    private static final LocalDate FIRST = LocalDate.parse("2026-03-01");
    private static final LocalDate SECOND = LocalDate.parse("2026-03-02");

    private static Entry entry(
            LocalDate day, String caller, String tool, String status, boolean nested) {
        return new Entry(
                Instant.parse(day + "T23:59:59.999Z"),
                caller,
                nested ? "sandbox" : "mcp",
                tool,
                "h",
                Optional.empty(),
                100,
                status,
                Duration.ofMillis(2),
                Optional.empty(),
                0,
                "t",
                new Entry.Subject(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        nested ? Optional.of("exe_1") : Optional.empty(),
                        Optional.empty()));
    }

    private void write(List<Entry> entries) {
        var ledger = new Ledger(store);
        entries.forEach(ledger::record);
    }

    private List<UsageSum> sums(Group... by) {
        return new LedgerUsage(store)
                .sums(
                        new UsageQuery(
                                FIRST, SECOND, List.of(by), Optional.empty(), Optional.empty()),
                        0,
                        100)
                .groups();
    }

    @Test
    void calls_are_summed_up_by_day_key_and_tool() {
        write(
                List.of(
                        entry(FIRST, "anna", "run", "success", false),
                        entry(FIRST, "anna", "github__list", "success", true),
                        entry(FIRST, "anna", "github__list", "refused:denied", true),
                        entry(SECOND, "anna", "github__make", "refused:outcome_unknown", true),
                        entry(SECOND, "bert", "run", "failed", false),
                        entry(SECOND, "bert", "run", "input_required", false),
                        entry(SECOND, "bert", "a made up name", "refused:unknown_tool", false)));
        var days = sums(Group.DAY);
        assertThat(days.stream().map(sum -> sum.day().orElseThrow()))
                .containsExactly(FIRST, SECOND);
        var first = days.getFirst();
        assertThat(first.calls()).isEqualTo(3);
        assertThat(first.nested()).isEqualTo(2);
        assertThat(first.failed()).isEqualTo(1);
        assertThat(first.denied()).isEqualTo(1);
        assertThat(first.resultBytes()).isEqualTo(100);
        assertThat(first.nestedBytes()).isEqualTo(200);
        assertThat(first.durationMicros()).isEqualTo(6_000);
        assertThat(days.getLast().unknown()).isEqualTo(1);
        assertThat(days.getLast().failed()).isEqualTo(3);
        assertThat(sums(Group.KEY).stream().map(sum -> sum.caller().orElseThrow()))
                .containsExactly("anna", "bert");
        assertThat(sums(Group.TOOL).stream().map(sum -> sum.tool().orElseThrow()))
                .containsExactly("", "github__list", "github__make", "run");
        assertThat(sums(Group.KEY, Group.TOOL)).hasSize(5);
        assertThat(sums()).singleElement().satisfies(all -> assertThat(all.calls()).isEqualTo(7));
    }

    @Test
    void each_entry_is_summed_up_once() throws Exception {
        var usage = new LedgerUsage(store);
        for (int round = 1; round <= 3; round++) {
            write(List.of(entry(FIRST, "anna", "run", "success", false)));
            assertThat(usage.catchUp()).isEqualTo(1);
            assertThat(usage.catchUp()).isZero();
            assertThat(sums().getFirst().calls()).isEqualTo(round);
        }
        write(entries(300));
        var both = List.of(new LedgerUsage(store), new LedgerUsage(store));
        var threads = new ArrayList<Thread>();
        both.forEach(each -> threads.add(Thread.ofVirtual().start(each::catchUp)));
        for (var thread : threads) {
            thread.join();
        }
        assertThat(sums().getFirst().calls()).isEqualTo(303);
    }

    private static List<Entry> entries(int count) {
        var entries = new ArrayList<Entry>();
        for (int at = 0; at < count; at++) {
            entries.add(entry(FIRST, "anna", "run", "success", false));
        }
        return entries;
    }

    @Test
    void a_question_has_bounds_filters_and_pages() {
        write(
                List.of(
                        entry(FIRST.minusDays(1), "anna", "run", "success", false),
                        entry(FIRST, "anna", "run", "success", false),
                        entry(FIRST, "bert", "run", "success", false),
                        entry(SECOND, "anna", "list", "success", false),
                        entry(SECOND.plusDays(1), "anna", "run", "success", false)));
        var usage = new LedgerUsage(store);
        var query =
                new UsageQuery(
                        FIRST, SECOND, List.of(Group.DAY), Optional.of("anna"), Optional.of("run"));
        var found = usage.sums(query, 0, 10);
        assertThat(found.groups()).hasSize(1);
        assertThat(found.groups().getFirst().calls()).isEqualTo(1);
        assertThat(found.complete()).isTrue();
        assertThat(found.until()).contains(Instant.parse("2026-03-03T23:59:59.999Z"));
        var all =
                new UsageQuery(
                        FIRST, SECOND, List.of(Group.KEY), Optional.empty(), Optional.empty());
        assertThat(usage.sums(all, 0, 1).groups().getFirst().caller()).contains("anna");
        assertThat(usage.sums(all, 1, 1).groups().getFirst().caller()).contains("bert");
        assertThat(usage.sums(all, 2, 1).groups()).isEmpty();
        assertThatThrownBy(() ->
                        new UsageQuery(
                                SECOND, FIRST, List.of(), Optional.empty(), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void without_a_call_there_is_nothing() {
        var found =
                new LedgerUsage(store)
                        .sums(
                                new UsageQuery(
                                        FIRST,
                                        SECOND,
                                        List.of(Group.DAY),
                                        Optional.empty(),
                                        Optional.empty()),
                                0,
                                10);
        assertThat(found.groups()).isEmpty();
        assertThat(found.until()).isEmpty();
        assertThat(found.complete()).isTrue();
    }
}
