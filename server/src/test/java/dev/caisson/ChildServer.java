package dev.caisson;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caisson.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A server in a process of its own.
final class ChildServer implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private final Process process;
    private final BufferedReader lines;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final URI address;
    private final Thread reader;

    /// @param detachAfter how long a call may take before it becomes a task
    ChildServer(Path directory, Duration detachAfter) throws IOException {
        this(directory, detachAfter, List.of());
    }

    /// @param options of the Java machine
    ChildServer(Path directory, Duration detachAfter, List<String> options) throws IOException {
        this(directory, detachAfter, options, List.of());
    }

    /// @param settings of the configuration, each `key=value`
    ChildServer(Path directory, Duration detachAfter, List<String> options, List<String> settings)
            throws IOException {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(options);
        words.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        // It lives for seconds, and starts in half the time.
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dcaisson.guests=" + System.getProperty("caisson.guests"),
                        "-cp",
                        classPath(),
                        Main.class.getName(),
                        "serve",
                        "--no-auth",
                        "--set",
                        "environments.bake=false",
                        "--set",
                        "sandbox.detach_after=" + detachAfter.toSeconds() + "s",
                        "--port",
                        "0",
                        "--data",
                        directory.toString()));
        settings.forEach(each -> words.addAll(List.of("--set", each)));
        process = new ProcessBuilder(words).redirectErrorStream(true).start();
        lines = process.inputReader(UTF_8);
        address = awaitAddress();
        // Somebody must read what it logs, or it would wait.
        reader = Thread.ofVirtual().start(() -> lines.lines().forEach(this::note));
    }

    private void note(String line) {
        if (line.contains("\"level\":\"error\"")) {
            faults.add(line);
        }
    }

    /// What it logged as its own faults, once it is dead.
    List<String> faults() throws InterruptedException {
        reader.join(Duration.ofSeconds(30));
        return List.copyOf(faults);
    }

    /// Surefire may hide the real class path behind a jar of its own.
    static String classPath() {
        return System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private URI awaitAddress() throws IOException {
        var said = new StringBuilder();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            var match = ADDRESS.matcher(line);
            if (match.find()) {
                return URI.create(match.group());
            }
        }
        throw new IOException("the server ended before it was ready:\n" + said);
    }

    /// Calls a tool that runs code.
    ///
    /// @param params without what every request has
    JsonNode call(String params) throws Exception {
        return call("tools/call", "sandbox_execute", params);
    }

    JsonNode call(String method, String mirrored, String params) throws Exception {
        var given = (ObjectNode) Json.parse("{" + params + "}");
        var request =
                McpMessages.modern(
                                HttpRequest.newBuilder(address.resolve("/mcp")),
                                method,
                                McpMessages.withTasks(given))
                        .setHeader("Mcp-Name", mirrored)
                        .setHeader("Accept", "*/*")
                        .build();
        try (var client = HttpClient.newHttpClient()) {
            var response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return Json.parse(response.body());
        }
    }

    HttpResponse<String> get(String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(address.resolve(path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    JsonNode post(String path, JsonNode body) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return post(client, path, body);
        }
    }

    /// @param client one that has its connections already
    JsonNode post(HttpClient client, String path, JsonNode body) throws Exception {
        var request =
                HttpRequest.newBuilder(address.resolve(path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(Json.text(body)))
                        .build();
        return Json.parse(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    void kill() {
        process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }

    /// As a service manager would.
    ///
    /// @return the exit code
    int stop() {
        process.toHandle().destroy();
        return process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
