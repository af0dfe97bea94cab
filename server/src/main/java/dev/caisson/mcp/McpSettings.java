package dev.caisson.mcp;

import dev.caisson.call.Toolset;
import dev.caisson.config.Key;
import java.util.Set;

/// Settings of the Model Context Protocol.
///
/// @param legacySse whether HTTP+SSE is served
/// @param defaultToolsets what is listed to a caller who names no toolset
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
                Set<Toolset> defaultToolsets) {
    public McpSettings {
        defaultToolsets = Set.copyOf(defaultToolsets);
    }
}
