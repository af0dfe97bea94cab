package dev.caisson.mcp;

import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Who we say we are.
///
/// @param instructions what a model should know before it uses the tools
public record ServerInfo(String name, String title, String version, String instructions) {
    ObjectNode json() {
        return Json.object().put("name", name).put("title", title).put("version", version);
    }
}
