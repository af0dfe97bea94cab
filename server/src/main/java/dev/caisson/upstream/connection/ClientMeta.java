package dev.caisson.upstream.connection;

import dev.caisson.config.Version;
import dev.caisson.json.Json;
import dev.caisson.rpc.MetaMember;
import dev.caisson.rpc.Revision;
import tools.jackson.databind.node.ObjectNode;

/// Description of this client for servers. It answers forms where the operator says so, and nothing
/// else.
final class ClientMeta {
    private static final String TASKS = "io.modelcontextprotocol/tasks";

    private ClientMeta() {}

    static ObjectNode info() {
        return Json.object().put("name", "caisson").put("version", Version.TEXT);
    }

    /// What it says at the beginning of a connection of the older eras.
    ///
    /// @param forms whether forms are answered
    static ObjectNode older(boolean forms) {
        var capabilities = Json.object();
        if (forms) {
            capabilities.putObject("elicitation").putObject("form");
        }
        return capabilities;
    }

    /// The parameters of a call of the modern era, which may become a task.
    ///
    /// @param forms whether forms are answered
    static ObjectNode onCall(ObjectNode params, boolean forms) {
        var meta = on(params).withObjectProperty("_meta");
        var capabilities = older(forms);
        capabilities.putObject("extensions").putObject(TASKS);
        meta.set(MetaMember.CAPABILITIES, capabilities);
        return params;
    }

    /// The same parameters with what every request of the modern era says.
    static ObjectNode on(ObjectNode params) {
        var meta = params.withObjectProperty("_meta");
        meta.put(MetaMember.VERSION, Revision.R2026_07_28.word());
        meta.putObject(MetaMember.CAPABILITIES);
        meta.set(MetaMember.CLIENT_INFO, info());
        return params;
    }
}
