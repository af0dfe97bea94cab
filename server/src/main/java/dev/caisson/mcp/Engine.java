package dev.caisson.mcp;

import dev.caisson.broker.Changes;

/// What every door needs.
record Engine(
        Desk desk,
        Listeners listeners,
        Changes changes,
        Notices notices,
        ModernCodec modern,
        Beats beats,
        Ledger ledger,
        McpLimits limits) {}
