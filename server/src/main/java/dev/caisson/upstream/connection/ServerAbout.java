package dev.caisson.upstream.connection;

import dev.caisson.rpc.Revision;
import tools.jackson.databind.JsonNode;

/// Description of an upstream by itself. It is a stranger's word, and its instructions are not
/// kept: they reach no model.
///
/// @param name empty when it says none
/// @param revision that is spoken with it
/// @param listChanges whether it says when its list of tools changes
public record ServerAbout(
        String name, String version, Era era, Revision revision, boolean listChanges) {
    private static final int TEXT_MAX = 200;

    static ServerAbout of(JsonNode info, JsonNode capabilities, Era era, Revision revision) {
        return new ServerAbout(
                text(info.path("name")),
                text(info.path("version")),
                era,
                revision,
                capabilities.path("tools").path("listChanged").booleanValue(false));
    }

    private static String text(JsonNode node) {
        var text = node.stringValue("");
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX);
    }
}
