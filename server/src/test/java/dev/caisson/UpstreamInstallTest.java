package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.cli.Caisson;
import dev.caisson.environments.NpmRegistry;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/// A package of npm becomes an upstream: fetched from the registry alone, by its exact version, and
/// nothing of it runs before it is called.
@Tag("root")
@Timeout(300)
final class UpstreamInstallTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String SERVER =
            """
            #!/usr/bin/env node
            const readline = require('node:readline');
            const { word } = require('needed');
            const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
            readline.createInterface({ input: process.stdin }).on('line', (line) => {
              const { id, method, params } = JSON.parse(line);
              if (method === 'initialize') {
                say(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
              } else if (method === 'tools/list') {
                say(id, { tools: [{ name: 'greet', description: 'Greets.', inputSchema: { type: 'object' } }] });
              } else if (method === 'tools/call') {
                say(id, { content: [{ type: 'text', text: `${word} ${process.argv.slice(2)}` }] });
              } else if (id !== undefined) {
                console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
              }
            });
            """;

    /// What is in the host's `/tmp` cannot be shown.
    static final class OutsideTmp implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(Files.createDirectories(Path.of("/opt")), "install-");
        }
    }

    @TempDir(factory = OutsideTmp.class)
    Path directory;

    private NpmRegistry registry;

    private record Ended(int code, String out, String err) {
        Ended {
            assertThat(out + err).doesNotContain("Exception");
        }
    }

    @BeforeEach
    void publish() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        registry = new NpmRegistry(Optional.empty());
        var needed = Json.object().put("main", "index.js");
        needed.putObject("scripts").put("install", "echo ran > /workspace/out/ran");
        registry.publish("needed", "2.0.0", needed, Map.of("index.js", "exports.word = 'hello';"));
        publish("1.0.0", "greeter");
    }

    private void publish(String version, String program) {
        var described = Json.object();
        described.putObject("dependencies").put("needed", "2.0.0");
        described.putObject("bin").put(program, "./server.js").put("out", "../../../etc/passwd");
        registry.publish("@own/greeter", version, described, Map.of("server.js", SERVER));
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private Ended run(String... args) {
        var all = new ArrayList<String>(List.of("upstream"));
        all.addAll(List.of(args));
        all.addAll(
                2,
                List.of(
                        "--data",
                        directory.resolve("data").toString(),
                        "--set",
                        "environments.registries=npm:" + registry.address() + "/"));
        var out = new StringWriter();
        var err = new StringWriter();
        var code =
                Caisson.run(
                        new Commands(Clock.systemUTC()),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    private TestProduct product() throws Exception {
        return new TestProduct(directory, "environments.bake=false");
    }

    @Test
    void a_package_is_installed_called_and_replaced() throws Exception {
        try (var product = product()) {
            var made =
                    run(
                            "install",
                            "npm",
                            "@own/greeter@1.0.0",
                            "my-greeter",
                            "--yes",
                            "--trust",
                            "--title",
                            "Greeter",
                            "--",
                            "a",
                            "b");
            assertThat(made.code()).as(made.out() + made.err()).isZero();
            assertThat(made.out())
                    .contains("Hosts that are asked: 127.0.0.1", "== fetch", "greet")
                    .contains("2 packages, 1 MiB, are in ")
                    .contains("The upstream my-greeter is ready: 1 tools approved");
            var directories = packages();
            assertThat(directories).hasSize(1);
            assertThat(directories.getFirst().resolve("ran")).doesNotExist();
            var entry = product.get("/v1/upstreams/my-greeter").path("entry");
            assertThat(entry.path("show").get(0).stringValue())
                    .isEqualTo(directories.getFirst().toString());
            assertThat(entry.path("command").valueStream().map(each -> each.stringValue()))
                    .containsExactly(
                            "node",
                            directories.getFirst() + "/node_modules/@own/greeter/server.js",
                            "a",
                            "b");
            var read = run("review", "my-greeter", "greet", "--approve", "--effect", "read");
            assertThat(read.code()).as(read.err()).isZero();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(called(product)).contains("hello a,b"));

            var again = run("install", "npm", "@own/greeter@1.0.0", "my-greeter");
            assertThat(again.code()).isEqualTo(1);
            assertThat(again.err()).contains("already", "--replace");

            publish("1.1.0", "greeter");
            var replaced =
                    run(
                            "install",
                            "npm",
                            "@own/greeter@1.1.0",
                            "my-greeter",
                            "--replace",
                            "--json",
                            "--yes");
            assertThat(replaced.code()).as(replaced.err()).isZero();
            assertThat(Json.parse(replaced.out()).path("title").stringValue()).isEqualTo("Greeter");
            assertThat(product.get("/v1/upstreams/my-greeter").at("/entry/command/1").stringValue())
                    .startsWith(directory + "/data/packages/")
                    .doesNotStartWith(directories.getFirst().toString());
            assertThat(Json.parse(replaced.out()).at("/tools/approved").intValue()).isEqualTo(1);
            assertThat(packages()).hasSize(2);

            assertThat(product.server.core.packages.sweep(Set.of())).isZero();
        }
        assertThat(registry.asked())
                .isNotEmpty()
                .allMatch(path ->
                        path.startsWith("/@own%2fgreeter")
                                || path.contains("greeter/-/")
                                || path.startsWith("/needed"));
    }

    private static String called(TestProduct product) throws Exception {
        var body = Json.object();
        body.putObject("arguments");
        return product.send(
                        TestProduct.post(product.request("/v1/tools/my-greeter/greet/call"), body))
                .body();
    }

    private List<Path> packages() throws IOException {
        try (var files = Files.list(directory.resolve("data/packages"))) {
            return files.filter(each -> !each.endsWith(".work")).toList();
        }
    }

    /// As it comes from the registry of this machine, with everything it needs.
    @Test
    void a_server_that_others_wrote_is_installed_and_lists_its_tools() throws Exception {
        var process = new ProcessBuilder("npm", "config", "get", "registry").start();
        var real = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        registry.close();
        registry = new NpmRegistry(Optional.of(real.strip().replaceAll("/$", "")));
        try (var product = product()) {
            var made =
                    run(
                            "install",
                            "npm",
                            "@modelcontextprotocol/server-memory@2026.8.31",
                            "memory",
                            "--yes");
            assertThat(made.code()).as(made.out() + made.err()).isZero();
            assertThat(made.out())
                    .contains("create_entities", "read_graph")
                    .contains("The upstream memory is ready: 9 tools approved, 0 waiting");
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(product.get("/v1/tools?server=memory").path("tools"))
                                    .hasSize(9));
        }
    }

    @Test
    void what_is_wrong_is_said_and_leaves_nothing() throws Exception {
        for (var words :
                List.of("@own/greeter", "@own/greeter@latest", "@own/greeter@^1.0.0", "own@1")) {
            assertThat(run("install", "npm", words, "a").err()).contains("exact version");
        }
        for (var words : List.of("../x@1.0.0", "git+ssh://x/y@1.0.0")) {
            assertThat(run("install", "npm", words, "a").err()).contains("name of an npm package");
        }
        assertThat(run("install", "pypi", "x@1.0.0", "a").err()).contains("Only npm packages");
        assertThat(run("install", "npm", "@own/greeter@1.0.0", "Not-An-Id").err())
                .contains("The id is not 1 to 40");
        assertThat(run("install", "npm", "@own/greeter@1.0.0", "a", "--replace").err())
                .contains("no upstream a to replace");
        assertThat(run("install", "npm", "@own/greeter@1.0.0", "a", "--allow", "https://x").err())
                .contains("HOST or HOST:PORT");
        assertThat(registry.asked()).isEmpty();

        var none = run("install", "npm", "nobody@1.0.0", "a");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("The step fetch failed", "404");
        var other = run("install", "npm", "@own/greeter@1.0.1", "a");
        assertThat(other.err()).contains("No matching version found for @own/greeter@1.0.1");

        var far = Json.object();
        far.putObject("dependencies").put("elsewhere", "https://elsewhere.example/x.tgz");
        registry.publish("far", "1.0.0", far, Map.of());
        assertThat(run("install", "npm", "far@1.0.0", "a").err())
                .contains("elsewhere.example", "403");

        registry.publish("no-program", "1.0.0", Json.object(), Map.of("index.js", ""));
        assertThat(run("install", "npm", "no-program@1.0.0", "a").err())
                .contains("has no program", "caisson upstream add a --show ");
        publish("3.0.0", "one");
        var two = Json.object();
        two.putObject("bin").put("one", "./a.js").put("two", "./b.js");
        registry.publish("two", "1.0.0", two, Map.of("a.js", "", "b.js", ""));
        assertThat(run("install", "npm", "two@1.0.0", "a", "--bin", "three").err())
                .contains("--bin: one, two");
        assertThat(run("list").out()).contains("There are no upstreams");
    }
}
