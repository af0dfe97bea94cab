package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.config.Config;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Sources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    void the_greeting_can_be_pasted() throws Exception {
        try (var server = start()) {
            var key = server.makeFirstKey().orElseThrow();
            var url = server.address() + "/mcp";

            assertThat(Greeting.of(server.address(), Optional.of(key), true))
                    .contains("serves MCP at " + url)
                    .contains("claude mcp add --transport http caisson " + url)
                    .contains("\"Authorization: Bearer " + key.secret() + "\"");
            assertThat(Greeting.of(server.address(), Optional.empty(), true))
                    .contains("YOUR_KEY", "caisson key create");
            assertThat(Greeting.of(server.address(), Optional.empty(), false))
                    .contains("No key is needed")
                    .doesNotContain("Bearer");
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
