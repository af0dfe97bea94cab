package dev.caisson.mcp;

import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Who we are and what we can do, in the words of each era.
record Greeting(ServerInfo server) {
    /// The result of `initialize`.
    ObjectNode initialized(Revision revision) {
        var result = Json.object().put("protocolVersion", revision.word());
        result.set("capabilities", capabilities());
        result.set("serverInfo", server.json());
        return result.put("instructions", server.instructions());
    }

    /// The result of `server/discover`.
    ObjectNode discovered(Codec codec) {
        var result = Json.object();
        var versions = result.putArray("supportedVersions");
        Revision.modernWords().forEach(versions::add);
        var capabilities = capabilities();
        capabilities.putObject("extensions").putObject(Features.TASKS_EXTENSION);
        result.set("capabilities", capabilities);
        result.put("instructions", server.instructions());
        return codec.cacheable(result, CacheHint.DISCOVERY);
    }

    private static ObjectNode capabilities() {
        var capabilities = Json.object();
        capabilities.putObject("tools").put("listChanged", true);
        capabilities.putObject("resources").put("subscribe", true).put("listChanged", true);
        capabilities.putObject("prompts").put("listChanged", true);
        capabilities.putObject("completions");
        capabilities.putObject("logging");
        return capabilities;
    }
}
