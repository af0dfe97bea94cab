package dev.caisson;

import dev.caisson.call.LaunchCommand;
import dev.caisson.config.Version;
import dev.caisson.http.HttpSettings;
import dev.caisson.identity.AuthSettings;
import dev.caisson.identity.NewKey;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Sandboxes;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;

/// Banner that `serve` prints when it is ready: its address, the first key, and the configuration
/// for clients.
final class StartBanner {
    private static final String NO_KEY_YET = "YOUR_KEY";

    private StartBanner() {}

    /// Where MCP clients reach the server: as the operator says, else where it listens.
    static String url(HttpSettings http, URI address) {
        return base(http, address) + "/mcp";
    }

    /// The same without what is served there, and without a slash at its end.
    static String base(HttpSettings http, URI address) {
        var base = http.publicBaseUrl().orElse(address).toString();
        return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    /// What programs can be written in, and how well they are kept in.
    static String programs(Sandboxes sandboxes) {
        var isolation = sandboxes.isolation();
        return isolation
                .advice()
                .orElseGet(() ->
                        "Programs run in %s. %s"
                                .formatted(
                                        languages(sandboxes),
                                        isolation.missing().isEmpty()
                                                ? "Every isolation layer is active."
                                                : "Isolation is reduced, as you accepted;"
                                                        + " see caisson doctor."));
    }

    /// Such as `python 3.11.2, bash 5.2.15`.
    private static String languages(Sandboxes sandboxes) {
        return sandboxes.runners().available().stream()
                .map(Runner::title)
                .collect(Collectors.joining(", "));
    }

    /// Where everything is kept, and who else uses it.
    static String data(Path directory, boolean leads) {
        var line = "Data directory: " + directory.toAbsolutePath() + ".";
        return leads
                ? line
                : line
                        + "\nAnother server uses this data directory too: both serve the same keys,"
                        + " threads and history.";
    }

    /// @param url where clients reach the server
    /// @param admin the first key, present only when it was just made; for the console alone
    /// @param client the key that stands in the examples; made together with the first
    /// @param auth whether callers need a key
    /// @param console whether there is one
    static String of(
            String url,
            Optional<NewKey> admin,
            Optional<NewKey> client,
            boolean auth,
            boolean console) {
        var key = client.map(NewKey::secret).orElse(NO_KEY_YET);
        return """
        Caisson %s serves MCP at %s
        %s

        %s
        Claude Code:
          claude mcp add --transport http caisson %s%s

        Other clients:
        %s
        """
                .formatted(
                        Version.TEXT,
                        url,
                        console
                                ? "In the browser: "
                                        + url.substring(0, url.length() - "mcp".length())
                                : "There is no console: the build needs Node 20.19 or later with"
                                        + " npm. To install it: npm install -g node@22",
                        keyLine(admin, auth),
                        url,
                        auth ? " --header \"Authorization: Bearer " + key + "\"" : "",
                        json(url, auth ? Optional.of(key) : Optional.empty()))
                .stripTrailing();
    }

    /// What to say of a token that can be guessed; only on a loopback address does it come so far.
    static Optional<String> shortToken(AuthSettings auth) {
        return auth.isTokenShort()
                ? Optional.of(
                        """
                        WARNING: auth.api_token (MCP_API_TOKEN) has fewer than %d characters and may do \
                        everything.
                        Whoever can reach this machine's loopback address can try to guess it. Make a \
                        longer one: openssl rand -hex 32\
                        """
                                .formatted(AuthSettings.TOKEN_LENGTH_MIN))
                : Optional.empty();
    }

    private static String keyLine(Optional<NewKey> admin, boolean auth) {
        if (!auth) {
            return "No key is needed: everybody who can reach this address may do everything.\n";
        }
        return admin.map(key ->
                        """
                        Your key for the console, which may do everything, shown once: %s
                        Clients get another one, "client", which may run programs and use files:
                        """
                                .formatted(key.secret()))
                .orElse("To create a key: " + LaunchCommand.word() + " key create NAME\n");
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
