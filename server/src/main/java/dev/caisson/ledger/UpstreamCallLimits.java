package dev.caisson.ledger;

import dev.caisson.config.Key;

/// Limits of what is kept of the calls of upstreams' tools.
///
/// @param arguments whether their arguments are kept
/// @param results whether their results are kept
/// @param bytes what all of it may take
public record UpstreamCallLimits(
        @Key(
                        name = "keep.tool_arguments",
                        initial = "true",
                        doc =
                                "Whether the arguments of calls of other servers' tools are kept, up"
                                        + " to 256 KiB each.")
                boolean arguments,
        @Key(
                        name = "keep.tool_results",
                        initial = "true",
                        doc =
                                "Whether the results of calls of other servers' tools are kept, up to"
                                        + " 256 KiB each.")
                boolean results,
        @Key(
                        name = "keep.tool_calls_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What the kept arguments and results of calls of other servers' tools"
                                        + " may take; the oldest go first.")
                long bytes) {}
