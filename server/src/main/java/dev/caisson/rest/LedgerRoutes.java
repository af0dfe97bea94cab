package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.json.Records;
import dev.caisson.ledger.EntryJson;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerFilter;
import dev.caisson.ledger.LinkedEntry;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.DisconnectWatch;
import dev.caisson.share.Workers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.node.ObjectNode;

/// Route of the ledger, the newest entry first.
final class LedgerRoutes {
    private final Ledger ledger;
    private final KeyDirectory keys;
    private final Workers workers;

    LedgerRoutes(Ledger ledger, KeyDirectory keys, Workers workers) {
        this.workers = workers;
        this.ledger = ledger;
        this.keys = keys;
    }

    record LedgerList(List<ObjectNode> entries, Optional<String> nextCursor) {}

    Response list(RouteRequest ask) throws InterruptedException {
        var names = CallerNames.of(keys);
        var filter = filter(ask, names);
        var before = before(ask);
        var limit = Paging.limit(ask);
        var scan = ledger.scan(filter, before, limit);
        var page =
                DisconnectWatch.whileHere(
                        ask.exchange(),
                        () -> {
                            workers.runAll(ask.caller().id(), scan::next);
                            return scan.page();
                        });
        var next =
                page.next().isPresent()
                        ? Optional.of(String.valueOf(page.next().getAsLong()))
                        : Optional.<String>empty();
        return Response.ok(
                Records.tree(
                        new LedgerList(
                                page.entries().stream().map(each -> named(each, names)).toList(),
                                next)));
    }

    private static ObjectNode named(LinkedEntry entry, CallerNames names) {
        return EntryJson.tree(entry).put("caller_name", names.name(entry.entry().caller()));
    }

    private static LedgerFilter filter(RouteRequest ask, CallerNames names) {
        return new LedgerFilter(
                ask.query("caller").map(names::id),
                ask.query("tool"),
                ask.query("status"),
                Optional.empty(),
                Optional.empty());
    }

    private static OptionalLong before(RouteRequest ask) {
        var cursor = ask.query("after").or(() -> ask.query(Paging.CURSOR));
        if (cursor.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(cursor.get()));
        } catch (NumberFormatException _) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "after must be the next_cursor of the page before.",
                    Map.of("parameter", "after"));
        }
    }
}
