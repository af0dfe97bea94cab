package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Scope;
import dev.caisson.cli.CommandFailed;
import dev.caisson.config.Effective;
import dev.caisson.http.BoundPort;
import dev.caisson.identity.AuthSettings;
import dev.caisson.identity.TokenSettings;
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
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("root")
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
        try (var server = start("mcp.legacy_sse=false")) {
            assertThat(status(server.address().resolve("/sse"))).isEqualTo(404);
        }
    }

    @Test
    void without_keys_none_is_made() throws Exception {
        try (var server = start("auth.enabled=false")) {
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
            assertThatThrownBy(() -> start("http.port=" + taken)).isInstanceOf(IOException.class);
            assertThat(first.makeFirstKey()).as("not lost to the one that failed").isPresent();
        }
    }

    @Test
    void a_short_token_is_warned_of_and_a_long_one_is_not() {
        var few =
                new AuthSettings(
                        true,
                        Optional.of("x".repeat(31)),
                        3,
                        Duration.ofMinutes(1),
                        TokenSettings.NONE);
        var enough =
                new AuthSettings(
                        true,
                        Optional.of("x".repeat(32)),
                        3,
                        Duration.ofMinutes(1),
                        TokenSettings.NONE);

        assertThat(StartBanner.shortToken(few).orElseThrow()).startsWith("WARNING: auth.api_token");
        assertThat(StartBanner.shortToken(enough)).isEmpty();
    }

    @Test
    void the_greeting_can_be_pasted() throws Exception {
        try (var server = start()) {
            var key = server.makeFirstKey().orElseThrow();
            var url = StartBanner.url(config().http(), server.address());

            var client = server.makeClientKey();
            assertThat(client.info().scopes())
                    .containsExactlyInAnyOrder(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE);

            var banner = StartBanner.of(url, Optional.of(key), Optional.of(client), true, true);
            assertThat(banner.split(key.secret(), -1)).as("the admin's, once").hasSize(2);
            assertThat(banner)
                    .contains("serves MCP at " + url)
                    .contains("In the browser: " + server.address() + "/")
                    .contains("claude mcp add --transport http caisson " + url)
                    .contains("\"Authorization: Bearer " + client.secret() + "\"")
                    .contains("\"Authorization\" : \"Bearer " + client.secret() + "\"");
            assertThat(StartBanner.of(url, Optional.empty(), Optional.empty(), true, false))
                    .contains("YOUR_KEY", "caisson key create", "There is no console")
                    .doesNotContain("In the browser");
            assertThat(StartBanner.of(url, Optional.empty(), Optional.empty(), false, true))
                    .contains("No key is needed")
                    .doesNotContain("Bearer");
        }
    }

    @Test
    void the_greeting_says_where_clients_reach_it_and_what_programs_get() throws Exception {
        try (var server = start()) {
            var behind = config("http.public_base_url=https://caisson.example.org/").http();
            assertThat(StartBanner.url(config().http(), server.address()))
                    .isEqualTo(server.address() + "/mcp");
            assertThat(StartBanner.url(behind, server.address()))
                    .isEqualTo("https://caisson.example.org/mcp");
            assertThat(StartBanner.programs(server.core.services.sandboxes))
                    .matches(
                            "Programs run in python 3\\.\\S+, .*bash \\S+\\. Every isolation layer is active\\.");
        }
    }

    @Test
    void a_data_directory_that_cannot_be_used_is_a_sentence() throws Exception {
        var file = Files.createFile(directory.resolve("file"));
        var commands = new Commands(Clock.systemUTC());
        var config = new Effective(config("data.directory=" + file), List.of());

        for (var command :
                List.<ThrowingCallable>of(
                        () -> commands.serve(config, new PrintWriter(new StringWriter())),
                        () -> commands.stdio(config),
                        () -> commands.doctor(config, false, new PrintWriter(new StringWriter())),
                        () -> commands.keys(config))) {
            assertThatThrownBy(command)
                    .isInstanceOf(CommandFailed.class)
                    .hasMessageContainingAll(
                            "Cannot use the data directory " + file,
                            "is a file, not a directory",
                            "--data");
        }
    }

    @Test
    void a_taken_port_is_reported_before_anything_is_made() throws Exception {
        try (var taken = BoundPort.bind(config().http())) {
            var port = taken.channel().socket().getLocalPort();
            var data = directory.resolve("never");
            var config =
                    new Effective(config("http.port=" + port, "data.directory=" + data), List.of());
            var commands = new Commands(Clock.systemUTC());

            assertThatThrownBy(() -> commands.serve(config, new PrintWriter(new StringWriter())))
                    .isInstanceOf(CommandFailed.class)
                    .hasMessageContainingAll("Cannot listen", "port " + port, "--port");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void listing_and_revoking_make_no_data_directory() throws Exception {
        var data = directory.resolve("never");
        var config = new Effective(config("data.directory=" + data), List.of());

        assertThatThrownBy(() -> new Commands(Clock.systemUTC()).keys(config))
                .isInstanceOf(CommandFailed.class)
                .hasMessageContainingAll("There is no database in " + data, "--data");
        assertThat(data).doesNotExist();
    }

    @Test
    void keys_made_beside_a_server_are_in_its_database() throws Exception {
        try (var server = start();
                var desk =
                        new Commands(Clock.systemUTC()).keys(new Effective(config(), List.of()))) {
            assertThat(server.makeFirstKey()).isPresent();
            assertThat(desk.list()).hasSize(1);
            assertThat(desk.dataUse().served()).isTrue();
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

    private Server start(String... settings) throws Exception {
        return Server.start(config(settings), Clock.systemUTC());
    }

    private Config config(String... settings) throws Exception {
        return TestProduct.config(directory, settings);
    }

    private static int status(URI address) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(address).build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }
}
