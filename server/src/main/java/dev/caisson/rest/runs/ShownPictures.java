package dev.caisson.rest.runs;

import dev.caisson.call.Content;
import dev.caisson.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Images of a run whose files are erased with it, as members of `display`: there is no other way
/// to them.
final class ShownPictures {
    /// All images of one answer together, in characters of base64. A repeated request is answered
    /// from what was kept of the answer, so this is also kept.
    static final int LENGTH_MAX = 1 << 20;

    private ShownPictures() {}

    /// @param report of a run that asked for display
    static JsonNode in(JsonNode report, List<Content> content) {
        if (report.path("files_kept").asBoolean(true)) {
            return report;
        }
        var display = Json.array();
        report.path("display").forEach(display::add);
        int left = LENGTH_MAX;
        for (var item : content) {
            if (item instanceof Content.Image(var data, var type) && data.length() <= left) {
                left -= data.length();
                display.add(
                        Json.object().put("media_type", type).putNull("text").put("data", data));
            }
        }
        var shown = ((ObjectNode) report).deepCopy();
        if (!display.isEmpty()) {
            shown.set("display", display);
        }
        return shown;
    }
}
