package dev.caisson.upstream;

import dev.caisson.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// File of upstreams: a map from ids to entries, in YAML or JSON.
///
/// ```yaml
/// github:
///   url: https://mcp.example.org/mcp
///   credentials: {kind: header, headers: {Authorization: "Bearer ${secret:github_token}"}}
/// memory:
///   command: [node, /opt/mcp/memory/server.js]
///   show: [/opt/mcp/memory]
/// ```
public final class UpstreamFile {
    /// More than this is no file of upstreams.
    static final int BYTES_MAX = 1 << 20;

    /// How many upstreams there may be, in the file and in the database.
    public static final int UPSTREAMS_MAX = 500;

    /// An entry as it stands in the file.
    ///
    /// @param given as it was written
    public record Entry(UpstreamSettings settings, ObjectNode given) {}

    private UpstreamFile() {}

    /// The entries by id.
    ///
    /// @throws UpstreamMistakes with every mistake in the file
    public static Map<String, Entry> read(Path file) throws UpstreamMistakes {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw unusable("is larger than " + BYTES_MAX + " bytes", "Make it smaller.");
            }
            return parse(Files.readString(file));
        } catch (IOException _) {
            throw unusable(
                    "cannot be read", "Give a file of UTF-8 text, or leave upstreams.file out.");
        }
    }

    /// @throws UpstreamMistakes with every mistake in the text
    public static Map<String, Entry> parse(String text) throws UpstreamMistakes {
        var tree = tree(text);
        if (tree.isMissingNode() || tree.isNull()) {
            return Map.of();
        }
        if (!tree.isObject()) {
            throw unusable(
                    "is not a map from ids to upstreams",
                    "Write lines such as github: {url: https://mcp.example.org/mcp}.");
        }
        if (tree.size() > UPSTREAMS_MAX) {
            throw unusable("has more than " + UPSTREAMS_MAX + " upstreams", "Write fewer.");
        }
        return entries((ObjectNode) tree);
    }

    private static Map<String, Entry> entries(ObjectNode tree) throws UpstreamMistakes {
        var entries = new LinkedHashMap<String, Entry>();
        var mistakes = new ArrayList<UpstreamMistake>();
        for (var one : tree.properties()) {
            try {
                var settings = UpstreamReader.read(one.getKey(), one.getValue());
                entries.put(one.getKey(), new Entry(settings, (ObjectNode) one.getValue()));
            } catch (UpstreamMistakes wrong) {
                wrong.all().forEach(mistake -> mistakes.add(mistake.of(one.getKey())));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new UpstreamMistakes(mistakes);
        }
        return entries;
    }

    private static JsonNode tree(String text) throws UpstreamMistakes {
        try {
            return Yaml.parse(text).tree();
        } catch (Yaml.Malformed wrong) {
            throw unusable(wrong.problem(), "Correct it; a name may stand once in a map.");
        }
    }

    private static UpstreamMistakes unusable(String problem, String remedy) {
        return new UpstreamMistakes(List.of(new UpstreamMistake("The file", problem, remedy)));
    }
}
