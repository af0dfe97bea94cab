package dev.caisson.mcp;

import dev.caisson.broker.Changes;
import dev.caisson.call.Revocations;

/// What every door needs.
record Engine(
        Desk desk,
        Listeners listeners,
        Changes changes,
        Notices notices,
        ModernCodec modern,
        Beats beats,
        Ledger ledger,
        Revocations revocations,
        McpLimits limits) {}
