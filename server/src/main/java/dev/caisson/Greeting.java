package dev.caisson;

import dev.caisson.config.Version;
import dev.caisson.identity.NewKey;
import dev.caisson.json.Json;
import java.net.URI;
import java.util.Optional;

/// What `serve` says when it is ready: where it is, its first key, and what to paste into a client.
final class Greeting {
    private static final String NO_KEY_YET = "YOUR_KEY";

    private Greeting() {}

    /// @param firstKey present only when it was just made
    /// @param auth whether callers need a key
    static String of(URI address, Optional<NewKey> firstKey, boolean auth) {
        var url = address + "/mcp";
        var key = firstKey.map(NewKey::secret).orElse(NO_KEY_YET);
        return """
        Caisson %s serves MCP at %s

        %s
        Claude Code:
          claude mcp add --transport http caisson %s%s

        Other clients:
        %s
        """
                .formatted(
                        Version.TEXT,
                        url,
                        keyLine(firstKey, auth),
                        url,
                        auth ? " --header \"Authorization: Bearer " + key + "\"" : "",
                        json(url, auth ? Optional.of(key) : Optional.empty()))
                .stripTrailing();
    }

    private static String keyLine(Optional<NewKey> firstKey, boolean auth) {
        if (!auth) {
            return "No key is needed: whoever can reach this address may do everything.\n";
        }
        return firstKey.map(key -> "The first key, shown this once: " + key.secret() + "\n")
                .orElse("For another key: caisson key create NAME\n");
    }

    private static String json(String url, Optional<String> key) {
        var root = Json.object();
        var server = root.putObject("mcpServers").putObject("caisson");
        server.put("type", "http").put("url", url);
        key.ifPresent(
                secret -> server.putObject("headers").put("Authorization", "Bearer " + secret));
        return Json.pretty(root).indent(2).stripTrailing();
    }
}
