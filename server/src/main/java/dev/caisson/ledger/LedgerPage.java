package dev.caisson.ledger;

import java.util.List;
import java.util.OptionalLong;

/// Some entries, the newest first. A page with a `next` may be short, or empty.
///
/// @param next what to give as `before` for the page that follows; empty after the last
public record LedgerPage(List<LinkedEntry> entries, OptionalLong next) {
    public LedgerPage {
        entries = List.copyOf(entries);
    }
}
