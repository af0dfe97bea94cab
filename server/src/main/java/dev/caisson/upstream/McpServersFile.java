package dev.caisson.upstream;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of the file in which clients of the protocol keep their servers, under `mcpServers` or
/// `servers`. Values that look like secrets are taken out of the entries, for the vault.
public final class McpServersFile {
    private static final int ID_MAX = 38;
    private static final int SECRET_NAME_MAX = 64;

    /// A server of the file.
    ///
    /// @param name as the file has it
    /// @param entry as upstreams are written, with placeholders for secrets
    /// @param secrets by the names that the placeholders have
    public record Server(String name, String id, ObjectNode entry, Map<String, String> secrets) {
        public Server {
            secrets = Map.copyOf(secrets);
        }

        /// Without the values.
        @Override
        public String toString() {
            return "Server[" + id + "]";
        }
    }

    private McpServersFile() {}

    /// In the order of the file.
    ///
    /// @throws UpstreamMistakes when it is no such file
    public static List<Server> parse(String text) throws UpstreamMistakes {
        var servers = servers(text);
        var read = new ArrayList<Server>();
        for (var server : servers.properties()) {
            read.add(server(server.getKey(), server.getValue()));
        }
        return read;
    }

    private static ObjectNode servers(String text) throws UpstreamMistakes {
        try {
            var tree = Json.parse(text);
            for (var member : List.of("mcpServers", "servers")) {
                if (tree.path(member) instanceof ObjectNode servers) {
                    return servers;
                }
            }
        } catch (JacksonException _) {
            // Told below.
        }
        throw new UpstreamMistakes(
                List.of(
                        new UpstreamMistake(
                                "The file",
                                "is no JSON with the member mcpServers",
                                "Give the file in which a client keeps its servers.")));
    }

    private static Server server(String name, JsonNode given) {
        var id = id(name);
        var secrets = new TreeMap<String, String>();
        var entry = Json.object();
        if (!id.equals(name)) {
            entry.put("title", CleanText.title(name));
        }
        text(given, "url")
                .or(() -> text(given, "serverUrl"))
                .ifPresent(url -> entry.put("url", url));
        text(given, "command")
                .ifPresent(command -> {
                    var words = entry.putArray("command").add(command);
                    given.path("args").forEach(word -> words.add(word.asString("")));
                });
        if (text(given, "type").equals(Optional.of("sse"))) {
            entry.put("transport", "sse");
        }
        var env = values(id, given.path("env"), secrets);
        if (!env.isEmpty()) {
            entry.set("env", env);
        }
        var headers = values(id, given.path("headers"), secrets);
        if (!headers.isEmpty()) {
            entry.putObject("credentials").put("kind", "header").set("headers", headers);
        }
        return new Server(name, id, entry, secrets);
    }

    /// A valid id, as near to the name as can be.
    static String id(String name) {
        var words = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        var trimmed = words.replaceAll("^-+|-+$", "");
        var shorter = trimmed.length() > ID_MAX ? trimmed.substring(0, ID_MAX) : trimmed;
        return shorter.isEmpty() ? "server" : shorter;
    }

    private static ObjectNode values(String id, JsonNode given, Map<String, String> secrets) {
        var values = Json.object();
        for (var one : given.properties()) {
            var value = one.getValue().asString("");
            if (SecretWords.isSecret(one.getKey()) && !value.isEmpty() && !SecretText.isIn(value)) {
                var name = secretName(id, one.getKey());
                secrets.put(name, value);
                values.put(one.getKey(), "${secret:" + name + "}");
            } else {
                values.put(one.getKey(), value);
            }
        }
        return values;
    }

    private static String secretName(String id, String member) {
        var name = id + "-" + member.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "-");
        return name.length() > SECRET_NAME_MAX ? name.substring(0, SECRET_NAME_MAX) : name;
    }

    private static Optional<String> text(JsonNode object, String member) {
        var value = object.path(member);
        return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }
}
