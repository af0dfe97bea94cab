package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpServersFileTest {
    @Test
    void commands_and_addresses_become_entries_and_secrets_go_to_the_vault() throws Exception {
        var servers =
                McpServersFile.parse(
                        """
                        {"mcpServers": {
                          "My Files": {"command": "node", "args": ["/opt/files.js", "/srv"],
                            "env": {"API_KEY": "hunter2", "MODE": "fast"}},
                          "github": {"type": "http", "url": "https://mcp.example.org/mcp",
                            "headers": {"Authorization": "Bearer hunter2", "X-Team": "a"}},
                          "old": {"type": "sse", "url": "https://old.example.org/sse"}}}
                        """);

        assertThat(servers.stream().map(McpServersFile.Server::id))
                .containsExactly("my-files", "github", "old");
        var files = servers.getFirst();
        assertThat(files.entry())
                .isEqualTo(
                        Json.parse(
                                """
                                {"title": "My Files", "command": ["node", "/opt/files.js", "/srv"],
                                 "env": {"API_KEY": "${secret:my-files-api_key}", "MODE": "fast"}}
                                """));
        assertThat(files.secrets()).isEqualTo(Map.of("my-files-api_key", "hunter2"));
        assertThat(servers.toString()).doesNotContain("hunter2");

        var remote = UpstreamReader.read("github", servers.get(1).entry());
        assertThat(remote.credentials())
                .isEqualTo(
                        new Credentials.Headers(
                                Map.of(
                                        "Authorization",
                                        new SecretText("${secret:github-authorization}"),
                                        "X-Team",
                                        new SecretText("a"))));
        assertThat(servers.get(1).secrets())
                .isEqualTo(Map.of("github-authorization", "Bearer hunter2"));
        assertThat(UpstreamReader.read("old", servers.get(2).entry()).peer())
                .isInstanceOfSatisfying(
                        Peer.Remote.class,
                        peer -> assertThat(peer.transport()).isEqualTo(Peer.Transport.SSE));
    }

    @Test
    void what_fetches_a_program_is_read_and_refused_with_the_remedy() throws Exception {
        var servers =
                McpServersFile.parse(
                        "{\"servers\": {\"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"x\"]}}}");

        assertThatThrownBy(() -> UpstreamReader.read("a", servers.getFirst().entry()))
                .isInstanceOf(UpstreamMistakes.class)
                .hasMessageContaining("command is npx")
                .hasMessageContaining("caisson upstream install npm");
    }

    @Test
    void placeholders_of_other_products_are_no_secrets() throws Exception {
        var servers =
                McpServersFile.parse(
                        "{\"mcpServers\": {\"a\": {\"command\": \"node\", \"env\": {\"TOKEN\": \"${input:token}\"}}}}");

        assertThat(servers.getFirst().secrets()).isEmpty();
        assertThatThrownBy(() -> UpstreamReader.read("a", servers.getFirst().entry()))
                .hasMessageContaining("env.TOKEN has ${…} that names no secret");
    }

    @ParameterizedTest
    @CsvSource({"github, github", "My_Server.2, my-server-2", "--x--, x", "漢字, server"})
    void an_id_is_near_to_the_name(String name, String id) {
        assertThat(McpServersFile.id(name)).isEqualTo(id);
        assertThat(McpServersFile.id("a".repeat(60))).hasSize(38);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"mcpServers\": []}", "not json"})
    void other_files_are_said_to_be_none(String text) {
        assertThatThrownBy(() -> McpServersFile.parse(text))
                .isInstanceOf(UpstreamMistakes.class)
                .hasMessageContaining("mcpServers");
    }

    @Test
    void a_server_that_is_no_object_has_mistakes_and_no_exception() throws Exception {
        var servers = McpServersFile.parse("{\"mcpServers\": {\"a\": 7, \"b\": {\"env\": []}}}");

        assertThat(servers).hasSize(2);
        for (var server : List.copyOf(servers)) {
            assertThatThrownBy(() -> UpstreamReader.read(server.id(), server.entry()))
                    .isInstanceOf(UpstreamMistakes.class);
        }
    }
}
