package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.cli.CommandFailed;
import dev.caisson.config.Config;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Sources;
import dev.caisson.store.DataLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
    @TempDir Path directory;

    @Test
    void it_serves_and_makes_the_first_key_once() throws Exception {
        try (var server = start()) {
            assertThat(server.makeFirstKey()).isPresent();
            assertThat(status(server.address().resolve("/healthz"))).isEqualTo(200);
            assertThat(status(server.address().resolve("/readyz"))).isEqualTo(200);
        }
        try (var server = start()) {
            assertThat(server.makeFirstKey()).isEmpty();
        }
    }

    @Test
    void every_door_asks_for_a_key_and_the_oldest_can_be_shut() throws Exception {
        try (var server = start()) {
            for (var door : List.of("/mcp", "/mcp/events", "/sse", "/message")) {
                // An address may fail three times before it is told to wait.
                assertThat(status(server.address().resolve(door))).as(door).isIn(401, 429);
            }
        }
        try (var server = start("mcp.legacy_sse", "false")) {
            assertThat(status(server.address().resolve("/sse"))).isEqualTo(404);
        }
    }

    @Test
    void without_keys_none_is_made() throws Exception {
        try (var server = start("auth.enabled", "false")) {
            assertThat(server.makeFirstKey()).isEmpty();
        }
    }

    @Test
    void two_servers_share_a_data_directory_but_not_a_port() throws Exception {
        try (var first = start();
                var second = start()) {
            assertThat(status(first.address().resolve("/healthz"))).isEqualTo(200);
            assertThat(status(second.address().resolve("/healthz"))).isEqualTo(200);
            var taken = String.valueOf(first.address().getPort());
            assertThatThrownBy(() -> start("http.port", taken)).isInstanceOf(IOException.class);
            assertThat(first.makeFirstKey()).as("not lost to the one that failed").isPresent();
        }
    }

    @Test
    void a_short_token_is_warned_of_and_a_long_one_is_not() {
        var few = new Config.Auth(true, Optional.of("x".repeat(31)), 3, Duration.ofMinutes(1));
        var enough = new Config.Auth(true, Optional.of("x".repeat(32)), 3, Duration.ofMinutes(1));

        assertThat(Greeting.shortToken(few).orElseThrow()).startsWith("WARNING: auth.api_token");
        assertThat(Greeting.shortToken(enough)).isEmpty();
    }

    @Test
    void the_greeting_can_be_pasted() throws Exception {
        try (var server = start()) {
            var key = server.makeFirstKey().orElseThrow();
            var url = Greeting.url(config().http(), server.address());

            assertThat(Greeting.of(url, Optional.of(key), true, true))
                    .contains("serves MCP at " + url)
                    .contains("In the browser: " + server.address() + "/")
                    .contains("claude mcp add --transport http caisson " + url)
                    .contains("\"Authorization: Bearer " + key.secret() + "\"");
            assertThat(Greeting.of(url, Optional.empty(), true, false))
                    .contains("YOUR_KEY", "caisson key create", "There is no console")
                    .doesNotContain("In the browser");
            assertThat(Greeting.of(url, Optional.empty(), false, true))
                    .contains("No key is needed")
                    .doesNotContain("Bearer");
        }
    }

    @Test
    void the_greeting_says_where_clients_reach_it_and_what_programs_get() throws Exception {
        try (var server = start()) {
            var behind = config("http.public_base_url", "https://caisson.example.org/").http();
            assertThat(Greeting.url(config().http(), server.address()))
                    .isEqualTo(server.address() + "/mcp");
            assertThat(Greeting.url(behind, server.address()))
                    .isEqualTo("https://caisson.example.org/mcp");
            assertThat(Greeting.programs(server.workshop()))
                    .matches(
                            "Programs run in python 3\\.\\S+, .*bash \\S+\\. Every layer .* holds\\.");
        }
    }

    @Test
    void a_data_directory_that_cannot_be_used_is_a_sentence() throws Exception {
        var file = Files.createFile(directory.resolve("file"));
        var commands = new Commands(Clock.systemUTC());
        var config = config("data.directory", file.toString());

        for (var command :
                List.<ThrowingCallable>of(
                        () -> commands.serve(config, new PrintWriter(new StringWriter())),
                        () -> commands.stdio(config),
                        () -> commands.doctor(config, false, new PrintWriter(new StringWriter())),
                        () -> commands.keys(config))) {
            assertThatThrownBy(command)
                    .isInstanceOf(CommandFailed.class)
                    .hasMessageContainingAll("Cannot use the data directory " + file, "--data");
        }
    }

    @Test
    void keys_made_beside_a_server_are_in_its_database() throws Exception {
        try (var server = start();
                var desk = new Commands(Clock.systemUTC()).keys(config())) {
            assertThat(server.makeFirstKey()).isPresent();
            assertThat(desk.list()).hasSize(1);
            assertThat(desk.revoke(desk.list().getFirst().id())).isTrue();
            assertThat(desk.list().getFirst().revoked()).isPresent();
        }
    }

    @Test
    void a_start_that_fails_gives_back_what_it_took() throws Exception {
        var data = Files.createDirectory(directory.resolve("data"));
        var secret = Files.write(data.resolve("secret"), new byte[1]);
        assertThatThrownBy(this::start).hasMessageContaining("must have 32 bytes");
        DataLock.take(data).close();
        Files.delete(secret);
        start().close();
    }

    private Server start(String... pairs) throws Exception {
        return Server.start(config(pairs), Clock.systemUTC());
    }

    private Config config(String... pairs) throws Mistakes {
        var flags = new ArrayList<Given>();
        flags.add(Given.flag("http.port", "0", "--port"));
        flags.add(Given.flag("data.directory", directory.resolve("data").toString(), "--data"));
        for (int i = 0; i < pairs.length; i += 2) {
            flags.add(Given.flag(pairs[i], pairs[i + 1], "--set"));
        }
        var sources = new Sources(Optional.empty(), Map.of(), List.copyOf(flags), directory, false);
        return Effective.read(sources).config();
    }

    private static int status(URI address) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(address).build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}
