package dev.caisson.mcp;

import dev.caisson.broker.ToolListing;
import dev.caisson.call.Toolset;
import dev.caisson.config.Key;
import java.util.Set;

/// Settings of the Model Context Protocol.
///
/// @param legacySse whether HTTP+SSE is served
/// @param defaultToolsets what is listed to a caller who names no toolset
/// @param listing what is listed to such a caller where there are tools of other servers
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
public record McpSettings(
        McpLimits limits,
        @Key(
                        name = "mcp.legacy_sse",
                        initial = "true",
                        doc = "Whether GET /sse and POST /message serve clients of 2024-11-05.")
                boolean legacySse,
        @Key(
                        name = "mcp.strict_params",
                        initial = "false",
                        doc =
                                "Whether tool arguments that are not valid are answered with the error"
                                        + " -32602 instead of a result that says what is wrong. A key can"
                                        + " ask for it too.")
                boolean strictParams,
        @Key(
                        name = "mcp.default_toolsets",
                        initial = "core, files",
                        doc =
                                "The toolsets whose tools are listed to a caller who names none, by key or"
                                        + " by address. The others can be called all the same.")
                Set<Toolset> defaultToolsets,
        @Key(
                        name = "mcp.listing",
                        initial = "auto",
                        doc =
                                "What is listed to a caller who names no toolset. auto: the toolset code to"
                                        + " who may call tools of other servers, the default toolsets to others."
                                        + " all: the default toolsets and every tool of other servers. code: the"
                                        + " toolset code.")
                ToolListing.Mode listing) {
    public McpSettings {
        defaultToolsets = Set.copyOf(defaultToolsets);
    }
}
