package dev.caisson.ledger;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Filter of ledger entries; an empty member matches all.
///
/// @param from the earliest moment
/// @param until the first moment that is too late
public record LedgerFilter(
        Optional<String> caller,
        Optional<String> tool,
        Optional<String> status,
        Optional<Instant> from,
        Optional<Instant> until) {
    public static final LedgerFilter ALL =
            new LedgerFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    String conditions() {
        return (caller.isPresent() ? " AND caller = :caller" : "")
                + (tool.isPresent() ? " AND tool = :tool" : "")
                + (status.isPresent() ? " AND status = :status" : "")
                + (from.isPresent() ? " AND at >= :from" : "")
                + (until.isPresent() ? " AND at < :until" : "");
    }

    Map<String, Object> values() {
        var values = new HashMap<String, Object>();
        caller.ifPresent(value -> values.put("caller", value));
        tool.ifPresent(value -> values.put("tool", value));
        status.ifPresent(value -> values.put("status", value));
        from.ifPresent(value -> values.put("from", value.toEpochMilli()));
        until.ifPresent(value -> values.put("until", value.toEpochMilli()));
        return values;
    }
}
