package dev.caisson.ledger;

import dev.caisson.config.Key;

/// Settings of the ledger.
public record LedgerSettings(
        @Key(
                        name = "ledger.enabled",
                        initial = "true",
                        doc = "Whether every call leaves an entry in the ledger.")
                boolean enabled) {}
