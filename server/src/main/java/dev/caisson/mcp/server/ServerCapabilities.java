package dev.caisson.mcp.server;

import dev.caisson.broker.Broker;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.mcp.ServerInfo;
import dev.caisson.rpc.Revision;
import tools.jackson.databind.node.ObjectNode;

/// Server capabilities in the words of each revision.
///
/// @param broker knows what a caller sees
public record ServerCapabilities(ServerInfo server, Broker broker) {
    /// The result of `initialize`.
    ObjectNode initialized(Revision revision, Caller caller) {
        var result = Json.object().put("protocolVersion", revision.word());
        result.set("capabilities", capabilities(caller));
        result.set("serverInfo", server.json());
        return result.put("instructions", instructions(caller));
    }

    /// The result of `server/discover`.
    ObjectNode discovered(Codec codec, Caller caller) {
        var result = Json.object();
        var versions = result.putArray("supportedVersions");
        Revision.modernWords().forEach(versions::add);
        var capabilities = capabilities(caller);
        capabilities.putObject("extensions").putObject(ClientCapabilities.TASKS_EXTENSION);
        result.set("capabilities", capabilities);
        result.put("instructions", instructions(caller));
        return codec.cacheable(result, CacheHint.DISCOVERY);
    }

    private String instructions(Caller caller) {
        return server.instructions().apply(caller, broker.tools(caller));
    }

    /// Lists of tools and resources change while a server runs, and whom it concerns is told. What
    /// there is none of is not declared.
    private ObjectNode capabilities(Caller caller) {
        var capabilities = Json.object();
        capabilities.putObject("tools").put("listChanged", true);
        capabilities.putObject("resources").put("subscribe", true).put("listChanged", true);
        if (!broker.prompts(caller).isEmpty()) {
            capabilities.putObject("prompts").put("listChanged", true);
        }
        capabilities.putObject("completions");
        capabilities.putObject("logging");
        return capabilities;
    }
}
