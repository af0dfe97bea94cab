package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.egress.Destination;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamReaderTest {
    private static UpstreamSettings only(String yaml) throws UpstreamMistakes {
        return UpstreamFile.parse(yaml).values().iterator().next().settings();
    }

    /// The sentences of what is wrong with an entry.
    private static String mistakes(String id, String entry) {
        try {
            UpstreamFile.parse(id + ": " + entry);
            return "";
        } catch (UpstreamMistakes wrong) {
            return wrong.sentences();
        }
    }

    @Test
    void an_address_needs_nothing_else() throws UpstreamMistakes {
        assertThat(only("github: {url: https://mcp.example.org/mcp}"))
                .isEqualTo(
                        new UpstreamSettings(
                                "github",
                                "github",
                                new Peer.Remote(
                                        URI.create("https://mcp.example.org/mcp"),
                                        Peer.Transport.AUTO),
                                UpstreamSettings.Trust.UNTRUSTED,
                                UpstreamSettings.Review.FIRST,
                                new Credentials.None(),
                                UpstreamSettings.Sharing.SHARED,
                                ToolFilter.ALL,
                                UpstreamLimits.USUAL,
                                Map.of(),
                                false,
                                false));
    }

    @Test
    void every_setting_is_read() throws UpstreamMistakes {
        var remote =
                only(
                        """
                        git-hub:
                          title: GitHub
                          url: http://mcp.example.org:8080/mcp?x=1
                          transport: sse
                          trust: trusted
                          review: manual
                          credentials: {kind: header, headers: {Authorization: "Bearer ${secret:github_token}"}}
                          per: shared
                          tools: {include: ["get_*", "x"], exclude: ["*_all"]}
                          limits: {concurrency: 2, connect: 1s, start: 2s, call: 3s, list: 4s, idle: 5m, result_bytes: 1MiB}
                          calls: {create_issue: {effect: write, timeout: 120s, idempotency_argument: key, idempotent: true, reconcile: retry}}
                        """);

        assertThat(remote.module()).isEqualTo("git_hub");
        assertThat(remote.title()).isEqualTo("GitHub");
        assertThat(remote.peer())
                .isEqualTo(
                        new Peer.Remote(
                                URI.create("http://mcp.example.org:8080/mcp?x=1"),
                                Peer.Transport.SSE));
        assertThat(remote.trust()).isEqualTo(UpstreamSettings.Trust.TRUSTED);
        assertThat(remote.review()).isEqualTo(UpstreamSettings.Review.MANUAL);
        assertThat(remote.credentials())
                .isEqualTo(
                        new Credentials.Headers(
                                Map.of(
                                        "Authorization",
                                        new SecretText("Bearer ${secret:github_token}"))));
        assertThat(remote.tools().takes("get_it")).isTrue();
        assertThat(remote.tools().takes("get_all")).isFalse();
        assertThat(remote.tools().takes("put_it")).isFalse();
        assertThat(remote.limits())
                .isEqualTo(
                        new UpstreamLimits(
                                2,
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(2),
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(4),
                                Duration.ofMinutes(5),
                                1 << 20));
        assertThat(remote.rule("create_issue"))
                .isEqualTo(
                        new CallRule(
                                Optional.of(ToolEffect.WRITE),
                                Optional.of(Duration.ofMinutes(2)),
                                Optional.of("key"),
                                true,
                                true));
        assertThat(remote.rule("other")).isEqualTo(CallRule.NONE);
    }

    @Test
    void a_command_is_read() throws UpstreamMistakes {
        var settings =
                only(
                        """
                        memory:
                          command: [node, /opt/mcp/server.js, stdio]
                          env: {TOKEN: "${secret:t}", PLAIN: x}
                          show: [/opt/mcp]
                          network: {allow: [{host: api.example.org}, {host: "*.Example.org", ports: [443, 8443]}]}
                          memory_bytes: 64MiB
                        """);

        assertThat(settings.peer())
                .isEqualTo(
                        new Peer.Command(
                                List.of("node", "/opt/mcp/server.js", "stdio"),
                                Map.of(
                                        "TOKEN", new SecretText("${secret:t}"),
                                        "PLAIN", new SecretText("x")),
                                List.of(Path.of("/opt/mcp")),
                                Set.of(
                                        new Destination("api.example.org", 443),
                                        new Destination("*.example.org", 443),
                                        new Destination("*.example.org", 8443)),
                                64L << 20));
    }

    @Test
    void each_caller_may_have_a_connection_and_secrets_of_its_own() throws UpstreamMistakes {
        var settings =
                only(
                        """
                        a:
                          url: https://a.example
                          per: caller
                          credentials: {kind: header, headers: {A: "Bearer ${caller:t}"}}
                        """);

        assertThat(settings.per()).isEqualTo(UpstreamSettings.Sharing.CALLER);
        assertThat(settings.credentials())
                .isEqualTo(
                        new Credentials.Headers(Map.of("A", new SecretText("Bearer ${caller:t}"))));
        assertThat(mistakes("a", "{command: [node], per: caller, env: {A: '${caller:T}'}}"))
                .contains("names no secret");
    }

    @Test
    void json_is_read_as_well() throws UpstreamMistakes {
        assertThat(only("{\"a\": {\"command\": [\"node\"]}}").peer())
                .isInstanceOf(Peer.Command.class);
        assertThat(UpstreamFile.parse("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                                | url is missing
                    {url: 'https://a.example', command: [node]}       | command stands beside url
                    {url: 'ftp://a.example/'}                         | url is no http or https URL
                    {url: 'https://u:p@a.example/'}                   | url is no http or https URL
                    {url: 'https://a.example/#x'}                     | url is no http or https URL
                    {url: 'https://a.example/${secret:x}'}            | url has ${…}
                    {url: 'https://a.example', transport: stdio}      | transport is stdio beside url
                    {command: [node], transport: http}                | transport is not stdio
                    {url: 'https://a.example', env: {A: b}}           | env has no meaning
                    {url: 'https://a.example', memory_bytes: 64MiB}   | memory_bytes has no meaning
                    {command: [npx, '-y', x]}                         | caisson upstream install npm NAME@VERSION ID
                    {command: [/usr/bin/uvx, x]}                      | Install it once
                    {command: [./server.js]}                          | absolute path
                    {command: [node, '${secret:x}']}                  | command has ${…}
                    {command: [node], env: {A: '${other}'}}           | env.A has ${…} that names no secret
                    {command: [node], env: {'A B': x}}                | no environment variable
                    {command: [node], show: [/]}                      | show has what is no absolute path
                    {command: [node], show: [/proc/1]}                | show has what is no absolute path
                    {command: [node], show: [/opt/../etc]}            | show has what is no absolute path
                    {url: 'https://a.example', network: {allow: []}}  | network has no meaning beside url
                    {command: [node], network: {allow: [{host: 'http://a.example'}]}} | network.allow has a host that is no name
                    {command: [node], network: {allow: [{host: '*.example'}]}} | network.allow has a host that is no name
                    {command: [node], network: {allow: [{host: '*'}]}} | network.allow has a host that is no name
                    {command: [node], network: {allow: [{host: a.example, ports: [0]}]}} | network.allow has a port that is none
                    {command: [node], network: {allow: [{host: a.example, ports: [65536]}]}} | network.allow has a port that is none
                    {command: [node], show: [/tmp/x]}                | show has what is no absolute path
                    {url: 'https://a.example', limits: {result_bytes: 1023}} | limits.result_bytes is no size from 1KiB to 64MiB
                    {url: 'https://a.example', limits: {result_bytes: 1.5}} | limits.result_bytes must be
                    {url: 'https://a.example', limits: {result_bytes: 99999999999999999999}} | limits.result_bytes
                    {url: 'https://a.example', elicit: true} | elicit is true, but what the upstream says is not trusted
                    {command: [node], memory_bytes: true} | memory_bytes must be
                    {command: [node], memory_bytes: 1MiB}             | memory_bytes is no size
                    {command: [node], memory_bytes: 65GiB}            | memory_bytes is no size
                    {command: [node], credentials: {kind: header, headers: {A: b}}} | a command has no headers
                    {url: 'https://a.example', credentials: {kind: env, env: {A: b}}} | only a command has an environment
                    {url: 'https://a.example', credentials: {kind: header}} | credentials.headers is missing
                    {url: 'https://a.example', credentials: {kind: none, headers: {A: b}}} | has no meaning with kind none
                    {url: 'https://a.example', credentials: {kind: oauth, client_id: a}} | credentials.issuer is missing beside client_id
                    {url: 'https://a.example', credentials: {kind: oauth, issuer: 'ftp://a'}} | credentials.issuer is no address
                    {url: 'https://a.example', credentials: {kind: oauth, issuer: 'https://b', client_id: a, client_secret: open}} | is not ${secret:name}
                    {url: 'https://a.example', credentials: {kind: oauth, scopes: ['a b']}} | what is no scope
                    {url: 'https://a.example', credentials: {kind: none, scopes: [a]}} | credentials.scopes has no meaning with kind none
                    {command: [node], credentials: {kind: oauth}} | a command has no requests
                    {url: 'https://a.example', credentials: {kind: client_credentials}} | credentials.client_secret is missing
                    {url: 'https://a.example', credentials: {kind: header, headers: {Host: b}}} | belongs to the protocol
                    {url: 'https://a.example', credentials: {kind: header, headers: {Mcp-Method: b}}} | belongs to the protocol
                    {url: 'https://a.example', credentials: {kind: header, headers: {A: "b\\nc"}}} | visible characters
                    {url: 'https://a.example', credentials: {kind: header, headers: {A: "${caller:t}"}}} | but all callers share one connection
                    {url: 'https://a.example', per: everybody}        | per must be one of
                    {url: 'https://a.example', tools: {include: ['a b']}} | tools.include has a pattern
                    {url: 'https://a.example', limits: {concurrency: 0}} | limits.concurrency must be at least 1
                    {url: 'https://a.example', limits: {concurrency: 257}} | limits.concurrency must be at most 256
                    {url: 'https://a.example', limits: {call: 2d}}    | limits.call is no time
                    {url: 'https://a.example', limits: {call: 99ms}}  | limits.call is no time
                    {url: 'https://a.example', limits: {idle: 31d}}   | limits.idle is no time
                    {url: 'https://a.example', limits: {connect: 3m}} | limits.connect is no time
                    {url: 'https://a.example', limits: {result_bytes: 65MiB}} | limits.result_bytes is no size
                    {url: 'https://a.example', limits: {result_bytes: 1023B}} | limits.result_bytes is no size
                    {url: 'https://a.example', calls: {'a b': {}}}    | calls names what is no tool
                    {url: 'https://a.example', calls: {a: {reconcile: retry}}} | calls.a.reconcile is retry, but nobody
                    {url: 'https://a.example', calls: {a: {timeout: never}}} | calls.a.timeout is no time
                    {url: 'https://a.example', trust: blind}          | trust must be one of
                    {url: 'https://a.example', tittle: x}             | tittle is not known
                    []                                                | The entry
                    """)
    void a_mistake_names_the_member(String entry, String expected) {
        assertThat(mistakes("a", entry)).startsWith("a: ").contains(expected);
    }

    @Test
    void limits_hold_up_to_their_bounds() throws UpstreamMistakes {
        var settings =
                only(
                        """
                        a:
                          url: https://a.example
                          limits: {concurrency: 256, connect: 2m, start: 100ms, call: 1d, list: 10m, idle: 30d, result_bytes: 64MiB}
                        """);

        assertThat(settings.limits().call()).isEqualTo(Duration.ofDays(1));
        assertThat(settings.limits().resultBytes()).isEqualTo(64L << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "-a", "a_b", "a.b", "import", "caisson", "class", "9x-"})
    void an_id_is_a_small_name_that_programs_can_import(String id) {
        if (id.equals("9x-")) {
            assertThat(mistakes("'" + id + "'", "{command: [node]}")).isEmpty();
        } else {
            assertThat(mistakes("'" + id + "'", "{command: [node]}")).contains("The id");
        }
    }

    @Test
    void an_id_has_forty_characters_at_most() {
        assertThat(mistakes("a".repeat(40), "{command: [node]}")).isEmpty();
        assertThat(mistakes("a".repeat(41), "{command: [node]}")).contains("The id");
        assertThat(mistakes("'" + "1".repeat(38) + "'", "{command: [node]}")).isEmpty();
        assertThat(mistakes("'" + "1".repeat(39) + "'", "{command: [node]}")).contains("The id");
        assertThat(UpstreamSettings.module("1-password")).isEqualTo("t_1_password");
    }

    @Test
    void no_mistake_repeats_the_value_of_a_header_or_a_variable() {
        var header =
                "{url: 'https://a.example', credentials: {kind: header, headers: {A: \"hunter2\\t${x}\", Host: hunter2}}}";
        var variable = "{command: [node], env: {A: 'hunter2${secret:UPPER}', B: 7}}";

        assertThat(mistakes("a", header)).isNotEmpty().doesNotContain("hunter2");
        assertThat(mistakes("a", variable)).isNotEmpty().doesNotContain("hunter2");
    }

    @Test
    void all_mistakes_of_a_file_are_told_at_once() {
        assertThatThrownBy(() -> UpstreamFile.parse("a: {url: x}\nb: {command: [npx]}"))
                .isInstanceOf(UpstreamMistakes.class)
                .hasMessageContaining("a: url")
                .hasMessageContaining("b: command");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a]", "a: {url: x", "a: {url: x}\na: {url: y}"})
    void a_file_that_is_none_is_said_to_be_none(String text) {
        assertThatThrownBy(() -> UpstreamFile.parse(text))
                .isInstanceOf(UpstreamMistakes.class)
                .hasMessageContaining("The file");
    }

    @Test
    void a_file_and_an_entry_have_sizes() {
        var many = new StringBuilder();
        for (var i = 0; i <= UpstreamFile.UPSTREAMS_MAX; i++) {
            many.append("a").append(i).append(": {command: [node]}\n");
        }
        assertThatThrownBy(() -> UpstreamFile.parse(many.toString()))
                .hasMessageContaining("more than 500");
        assertThat(
                        mistakes(
                                "a",
                                "{command: [node, '%s']}"
                                        .formatted("x".repeat(UpstreamReader.ENTRY_BYTES_MAX))))
                .contains("is larger than");
        assertThat(mistakes("a", "{command: [node, '" + "x".repeat(4096) + "']}")).isEmpty();
        assertThat(mistakes("a", "{command: [node, '" + "x".repeat(4097) + "']}"))
                .contains("more than 4096 characters");
    }

    @Test
    void a_file_is_read_up_to_its_size(@TempDir Path directory) throws Exception {
        var file = directory.resolve("upstreams.yaml");
        var entry = "a: {command: [node]}\n";
        var rest = UpstreamFile.BYTES_MAX - entry.length() - 2;
        Files.writeString(file, entry + "#" + " ".repeat(rest) + "\n");
        assertThat(UpstreamFile.read(file)).containsOnlyKeys("a");
        Files.writeString(file, entry + "#" + " ".repeat(rest) + " \n");
        assertThatThrownBy(() -> UpstreamFile.read(file)).hasMessageContaining("is larger than");
        assertThatThrownBy(() -> UpstreamFile.read(directory.resolve("none")))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void placeholders_are_filled_from_the_vault_and_shown_by_name_alone() {
        var text = new SecretText("Bearer ${secret:a}-${secret:b_2} tail");

        assertThat(text.names()).containsExactly("a", "b_2");
        assertThat(text.filled(name -> name + "$1\\")).isEqualTo("Bearer a$1\\-b_2$1\\ tail");
        assertThat(text.toString()).doesNotContain("Bearer").contains("a", "b_2");
    }
}
