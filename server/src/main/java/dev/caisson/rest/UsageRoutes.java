package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.ledger.LedgerUsage;
import dev.caisson.ledger.UsageQuery;
import dev.caisson.ledger.UsageQuery.Group;
import dev.caisson.ledger.UsageSum;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteAccess;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.DisconnectWatch;
import dev.caisson.rest.runs.ExecutionRoutes;
import dev.caisson.share.Workers;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Route of usage: what a key called, in sums over the ledger. A key sees its own; one with the
/// scope admin sees all, when it asks for them.
record UsageRoutes(LedgerUsage usage, KeyDirectory keys, Workers workers, Clock clock) {
    private static final String BY = "by";
    private static final int DAYS_PRESET = 30;

    /// What a token is taken to be.
    private static final int BYTES_PER_TOKEN = 4;

    /// Sum of one group.
    record UsageLine(
            @Describe("In UTC; absent where days are not told apart.") Optional<String> day,
            @Describe("The name of a key; absent where keys are not told apart.")
                    Optional<String> caller,
            @Describe("A tool or an action; empty text for names that no tool has.")
                    Optional<String> tool,
            @Describe("All calls, those of programs too.") long calls,
            @Describe("Of those, what programs called.") long nestedCalls,
            @Describe("Of all calls, what ended otherwise than with success.") long failed,
            @Describe("Of those, by rules of the policy.") long denied,
            @Describe("Of those, where nobody knows whether something was changed.") long unknown,
            @Describe("What clients were answered.") long resultBytes,
            @Describe("What programs were answered.") long nestedResultBytes,
            @Describe("result_bytes in tokens, estimated.") long tokensOut,
            @Describe("nested_result_bytes in tokens, estimated.") long tokensInside,
            long durationMs) {
        static UsageLine of(UsageSum sum, CallerNames names) {
            return new UsageLine(
                    sum.day().map(LocalDate::toString),
                    sum.caller().map(names::name),
                    sum.tool(),
                    sum.calls(),
                    sum.nested(),
                    sum.failed(),
                    sum.denied(),
                    sum.unknown(),
                    sum.resultBytes(),
                    sum.nestedBytes(),
                    tokens(sum.resultBytes()),
                    tokens(sum.nestedBytes()),
                    TimeUnit.MICROSECONDS.toMillis(sum.durationMicros()));
        }

        private static long tokens(long bytes) {
            return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
        }
    }

    record UsageList(
            List<UsageLine> usage,
            @Describe("The first day.") String from,
            @Describe("The last day.") String to,
            @Describe("When the last call was made that is in the sums; null before the first.")
                    Optional<String> countedUntil,
            @Describe("False while calls of before are still being summed up: ask again.")
                    boolean complete,
            Optional<String> nextCursor) {}

    List<Route> routes() {
        return List.of(
                Route.get("/v1/usage")
                        .named("listUsage", "What was called, in sums by day, key or tool")
                        .with(
                                Parameter.query("from", "The first day: 2026-01-31, in UTC"),
                                Parameter.query("to", "The last day; today without it"),
                                Parameter.query(
                                        BY,
                                        "What sums are told apart by: day, key, tool, several with"
                                                + " commas, or total; day without it"),
                                Parameter.query("caller", "With all: only this key, by name or id"),
                                Parameter.query("tool", "Only this tool"),
                                Paging.limit(),
                                Paging.cursor(),
                                ExecutionRoutes.all())
                        .giving(UsageList.class)
                        .by(this::list));
    }

    private Response list(RouteRequest ask) throws InterruptedException {
        boolean all = ask.flag("all");
        if (all) {
            RouteAccess.of(Scope.ADMIN).require(ask.caller());
        }
        var names = all ? CallerNames.of(keys) : CallerNames.of(ask.caller());
        var query = query(ask, all, names);
        long from = cursor(ask);
        int limit = Paging.limit(ask);
        var sums =
                DisconnectWatch.whileHere(
                        ask.exchange(),
                        () ->
                                workers.run(
                                        ask.caller().id(),
                                        () -> usage.sums(query, from, limit + 1)));
        boolean more = sums.groups().size() > limit;
        return Response.ok(
                Records.tree(
                        new UsageList(
                                sums.groups().stream()
                                        .limit(limit)
                                        .map(sum -> UsageLine.of(sum, names))
                                        .toList(),
                                query.from().toString(),
                                query.to().toString(),
                                sums.until().map(Instant::toString),
                                sums.complete(),
                                more
                                        ? Optional.of(Long.toString(from + limit))
                                        : Optional.empty())));
    }

    private UsageQuery query(RouteRequest ask, boolean all, CallerNames names) {
        var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        var to = ask.query("to").map(text -> day("to", text)).orElse(today);
        var from =
                ask.query("from").map(text -> day("from", text)).orElse(to.minusDays(DAYS_PRESET));
        if (to.isBefore(from)) {
            throw wrong("from", "from must not be after to.");
        }
        return new UsageQuery(
                from,
                to,
                groups(ask.query(BY).orElse(Group.DAY.word())),
                all ? ask.query("caller").map(names::id) : Optional.of(ask.caller().id()),
                ask.query("tool"));
    }

    private static LocalDate day(String parameter, String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException _) {
            throw wrong(parameter, parameter + " must be a day such as 2026-01-31.");
        }
    }

    private static List<Group> groups(String text) {
        if (text.equals("total")) {
            return List.of();
        }
        var groups = Arrays.stream(text.split(",", -1)).map(UsageRoutes::group).toList();
        if (groups.stream().distinct().count() != groups.size()) {
            throw wrong(BY, "by names one of day, key and tool twice.");
        }
        return groups;
    }

    private static Group group(String word) {
        return Arrays.stream(Group.values())
                .filter(group -> group.word().equals(word.strip()))
                .findFirst()
                .orElseThrow(() ->
                        wrong(BY, "by may be day, key, tool, several with commas, or total."));
    }

    private static long cursor(RouteRequest ask) {
        var text = ask.query(Paging.CURSOR).orElse("0");
        if (!text.matches("[0-9]{1,12}")) {
            throw wrong(Paging.CURSOR, "cursor must be the next_cursor of the page before.");
        }
        return Long.parseLong(text);
    }

    private static Refusal wrong(String parameter, String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence, Map.of("parameter", parameter));
    }
}
