package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.cli.Caisson;
import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import dev.caisson.json.Yaml;
import dev.caisson.upstream.UpstreamBody;
import dev.caisson.upstream.UpstreamFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Entries with every member there is mean the same in the file, over REST and on the command line.
@Tag("root")
@Timeout(180)
final class WholeEntryTest {
    private static final String ENTRIES =
            """
            github:
              title: GitHub
              url: http://127.0.0.1:1/mcp
              transport: auto
              trust: untrusted
              review: first
              credentials: {kind: header, headers: {Authorization: "Bearer ${secret:github_token}"}}
              per: shared
              tools: {include: ["*"], exclude: ["delete_*"]}
              limits: {concurrency: 8, connect: 10s, start: 20s, call: 60s, list: 30s, idle: 10m, result_bytes: 16777216}
              calls: {create_issue: {effect: write, timeout: 120s, idempotency_argument: key, reconcile: ask}}
              learn: true
              elicit: false
            local:
              title: Local
              command: [node, /opt/mcp/github/server.js, stdio]
              transport: stdio
              trust: trusted
              review: manual
              credentials: {kind: env, env: {OTHER_TOKEN: "${secret:github_token}"}}
              per: caller
              limits: {result_bytes: 16MiB}
              env: {GITHUB_TOKEN: "${secret:github_token}"}
              show: [/opt/mcp/github]
              network: {allow: [{host: api.github.com, ports: [443]}]}
              memory_bytes: 536870912
            """;

    private static final String LITERAL =
            "{url: 'http://127.0.0.1:1', credentials: {kind: header, headers: {A: geheim}}}";

    @TempDir Path directory;

    private static final List<String> IDS = List.of("github", "local");

    private static ObjectNode entries() throws Exception {
        return (ObjectNode) Yaml.parse(ENTRIES).tree();
    }

    /// What the command line says.
    private String add(List<String> words) {
        var data = directory.resolve("line").resolve("data").toString();
        var all = new ArrayList<>(List.of("upstream", "add", "--data", data, "--yes"));
        all.addAll(words);
        var said = new StringWriter();
        Caisson.run(
                new Commands(Clock.systemUTC()),
                new PrintWriter(said, true),
                new PrintWriter(said, true),
                all.toArray(String[]::new));
        assertThat(said.toString()).doesNotContain("Exception");
        return said.toString();
    }

    @Test
    void every_member_is_in_the_example() throws Exception {
        var used = new TreeSet<String>();
        entries().forEach(entry -> entry.propertyNames().forEach(used::add));
        var known = SchemaOf.record(UpstreamBody.class).path("properties").propertyNames();
        assertThat(used).containsExactlyInAnyOrderElementsOf(known);
    }

    private HttpResponse<String> put(TestProduct product, String id, JsonNode entry)
            throws Exception {
        return product.send(
                product.request("/v1/upstreams/" + id)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(Json.text(entry))));
    }

    /// What each upstream is shown to be, when the file has them.
    private ObjectNode ofFile() throws Exception {
        var file = directory.resolve("upstreams.yaml");
        Files.writeString(file, ENTRIES);
        try (var product = product("file", "upstreams.file=" + file)) {
            return shown(product);
        }
    }

    private TestProduct product(String name, String setting) throws Exception {
        return new TestProduct(directory.resolve(name), setting, "environments.bake=false");
    }

    private static ObjectNode shown(TestProduct product) throws Exception {
        var shown = Json.object();
        for (var id : IDS) {
            shown.set(id, product.get("/v1/upstreams/" + id).path("entry"));
        }
        return shown;
    }

    @Test
    void the_file_rest_and_the_command_line_take_all_of_it() throws Exception {
        var file = ofFile();
        for (var id : IDS) {
            assertThat(file.path(id).propertyNames()).isEqualTo(entries().path(id).propertyNames());
        }

        try (var product = product("rest", "upstreams.api_commands=true")) {
            for (var id : IDS) {
                var answer = put(product, id, entries().path(id));
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
            assertThat(shown(product)).isEqualTo(file);
        }

        for (var id : IDS) {
            var rest = (ObjectNode) entries().path(id).deepCopy();
            rest.remove(List.of("url", "command"));
            var words = new ArrayList<>(List.of("--entry", Json.text(rest), "--", id));
            if (id.equals("github")) {
                words.add(entries().at("/github/url").stringValue());
            } else {
                entries().at("/local/command").forEach(word -> words.add(word.stringValue()));
            }
            add(words);
        }
        try (var product = product("line", "http.port=0")) {
            assertThat(shown(product)).isEqualTo(file);
        }
    }

    @Test
    void values_of_credentials_stand_in_the_file_alone() throws Exception {
        assertThat(UpstreamFile.parse("github: " + LITERAL)).hasSize(1);
        try (var product = product("rest", "upstreams.api_commands=true")) {
            var answer = put(product, "github", Yaml.parse(LITERAL).tree());
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("${secret:name}").doesNotContain("geheim");
        }
        var said = add(List.of("--entry", LITERAL, "--", "github", "http://127.0.0.1:1"));
        assertThat(said).contains("${secret:name}").doesNotContain("geheim");
        assertThat(add(List.of("--entry", "[1]", "--", "other", "http://127.0.0.1:1")))
                .contains("--entry");
    }
}
