package dev.caisson;

import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import dev.caisson.json.Json;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The whole product with real sandboxes, and a client of its REST that holds the first key.
final class TestProduct implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final Server server;
    final Config config;
    final String key;
    final HttpClient http = HttpClient.newHttpClient();

    /// @param settings such as `mcp.strict_params=true`
    TestProduct(Path directory, String... settings) throws Exception {
        config = config(directory, settings);
        server = Server.start(config, Clock.systemUTC());
        key = server.makeFirstKey().map(made -> made.secret()).orElse("none");
    }

    /// The configuration of a product in a directory, on any free port.
    static Config config(Path directory, String... settings) throws Exception {
        var flags =
                Stream.concat(
                                Stream.of(
                                        "http.port=0",
                                        "data.directory=" + directory.resolve("data")),
                                Stream.of(settings))
                        .map(pair -> pair.split("=", 2))
                        .map(pair -> Given.flag(pair[0], pair[1], "--set"))
                        .toList();
        return Config.read(new Sources(Optional.empty(), Map.of(), flags, directory, false));
    }

    HttpRequest.Builder request(String path) {
        return open(path).header("Authorization", "Bearer " + key);
    }

    /// Without a key.
    HttpRequest.Builder open(String path) {
        return HttpRequest.newBuilder(URI.create(server.address() + path)).timeout(PATIENCE);
    }

    static HttpRequest.Builder post(HttpRequest.Builder request, JsonNode body) {
        return request.header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.text(body)));
    }

    HttpRequest.Builder execute(ObjectNode arguments) {
        return post(request("/v1/sandbox/execute"), arguments);
    }

    static ObjectNode bash(String code) {
        return Json.object().put("language", "bash").put("code", code);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /// An answer whose lines are read as they come.
    HttpResponse<Stream<String>> lines(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofLines());
    }

    /// An answer whose bytes are read as they come.
    HttpResponse<InputStream> bytes(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofInputStream());
    }

    JsonNode get(String path) throws Exception {
        return Json.parse(send(request(path)).body());
    }

    @Override
    public void close() {
        http.shutdownNow();
        server.close();
    }
}
