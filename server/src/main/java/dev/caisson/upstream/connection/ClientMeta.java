package dev.caisson.upstream.connection;

import dev.caisson.config.Version;
import dev.caisson.json.Json;
import dev.caisson.rpc.MetaMember;
import dev.caisson.rpc.Revision;
import tools.jackson.databind.node.ObjectNode;

/// Description of this client for servers. It offers no capability: nobody here answers a server.
final class ClientMeta {
    private ClientMeta() {}

    static ObjectNode info() {
        return Json.object().put("name", "caisson").put("version", Version.TEXT);
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
