package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.environments.ShippedLock;
import dev.caisson.environments.Wheels;
import dev.caisson.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Packages as an operator makes them ready and a caller finds them.
@Tag("root")
@Timeout(600)
class PackagesTest {
    private static final String JSON = "application/json";

    private static JsonNode execute(TestProduct product, String code, String environment)
            throws Exception {
        var order = Json.object().put("language", "python").put("code", code).put("timeout", 120);
        if (!environment.isEmpty()) {
            order.put("environment", environment);
        }
        return Json.parse(product.send(product.execute(order)).body());
    }

    private static JsonNode bake(TestProduct product, ObjectNode wanted) throws Exception {
        var answer = product.send(TestProduct.post(product.request("/v1/environments"), wanted));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        var place = answer.headers().firstValue("Location").orElseThrow();
        Awaitility.await()
                .atMost(Duration.ofMinutes(5))
                .until(() -> !product.get(place).path("state").asString().equals("running"));
        return product.get(place);
    }

    private static void open(Path directory) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void a_call_chooses_its_packages(@TempDir Path directory) throws Exception {
        open(directory);
        var root = directory.resolve("registry");
        Wheels.publish(root, "tiny", "1.0", Wheels.plain("tiny", "1.0"));
        var index = Wheels.publish(root, "tiny", "2.0", Wheels.plain("tiny", "2.0"));
        try (var product =
                new TestProduct(
                        directory,
                        "environments.registries=" + index,
                        "sandbox.environments=own")) {
            var code = "import tiny\nprint(tiny.VERSION)";
            var early = execute(product, code, "");
            assertThat(early.path("stderr").asString()).contains("ModuleNotFoundError");
            assertThat(early.path("advice").asString())
                    .contains("'tiny' is not installed", "The environment own: It is not baked.");
            bake(product, Json.object().put("name", "own").put("python", "tiny==1.0"));
            bake(product, Json.object().put("name", "other").put("python", "tiny==2.0"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> product.get("/v1/runners").path("environments").size() == 2);

            assertThat(execute(product, code, "").path("stdout").asString()).isEqualTo("1.0\n");
            assertThat(execute(product, code, "other").path("stdout").asString())
                    .isEqualTo("2.0\n");
            assertThat(execute(product, code, "other, own").path("stdout").asString())
                    .isEqualTo("2.0\n");
            assertThat(execute(product, code, "none").path("stderr").asString())
                    .contains("ModuleNotFoundError");
            var unknown = execute(product, code, "gone");
            assertThat(unknown.toString())
                    .contains("There is no environment 'gone' here.", "There are: other, own.");
            assertThat(execute(product, code, "a,b,c,d,e,f,g,h,i").toString())
                    .contains("a run may have 8");
            assertThat(execute(product, code, "a,b,c,d,e,f,g,h").toString())
                    .contains("There is no environment 'a' here.");

            var runners = product.get("/v1/runners");
            assertThat(runners.path("default_environments").toString()).isEqualTo("[\"own\"]");
            assertThat(runners.path("environments").get(1).path("packages").toString())
                    .isEqualTo("[{\"name\":\"tiny\",\"version\":\"1.0\"}]");
            assertThat(runners.path("missing_environments").findValuesAsString("name"))
                    .contains("data", "dev");
            var image = Json.object().put("language", "python").put("code", code);
            assertThat(product.send(product.execute(image.put("image", "gone"))).body())
                    .contains("There is no image 'gone' for python here.", "host (python)");
            var host = Json.object().put("code", "print(1)").put("image", "host");
            assertThat(product.send(product.execute(host)).body()).contains("\"stdout\":\"1\\n\"");

            the_key_comes_after_the_call_and_before_the_profile(product, code);

            var gone = product.request("/v1/environments/other").DELETE();
            assertThat(product.send(gone).statusCode()).isEqualTo(204);
            assertThat(product.send(gone).statusCode()).isEqualTo(404);
            assertThat(product.get("/v1/ledger?limit=50").toString())
                    .contains("environment_bake", "environment_remove");
        }
    }

    private static void the_key_comes_after_the_call_and_before_the_profile(
            TestProduct product, String code) throws Exception {
        var profile = product.request("/v1/profiles/both").header("Content-Type", JSON);
        assertThat(
                        product.send(
                                        profile.PUT(
                                                BodyPublishers.ofString(
                                                        "{\"environments\":[\"other\",\"own\"]}")))
                                .statusCode())
                .isEqualTo(200);
        var ofProfile = key(product, "{\"name\":\"a\",\"profile\":\"both\"}");
        var ofKey =
                key(
                        product,
                        "{\"name\":\"b\",\"profile\":\"both\",\"environments\":[\"own\",\"other\"]}");
        var narrow =
                key(product, "{\"name\":\"c\",\"profile\":\"both\",\"environments\":[\"own\"]}");
        assertThat(said(product, ofProfile, code, "")).contains("\"stdout\":\"2.0\\n\"");
        assertThat(said(product, ofKey, code, "")).contains("\"stdout\":\"1.0\\n\"");
        assertThat(said(product, ofKey, code, "other")).contains("\"stdout\":\"2.0\\n\"");
        assertThat(said(product, narrow, code, "none")).contains("ModuleNotFoundError");
        assertThat(said(product, narrow, code, "other"))
                .contains(
                        "Runs of this key may not use the environment 'other'. They may use: own.");

        var shown = product.send(by(product, narrow, "/v1/runners")).body();
        assertThat(Json.parse(shown).path("default_environments").toString())
                .isEqualTo("[\"own\"]");
        assertThat(Json.parse(shown).path("environments").findValuesAsString("hash")).hasSize(1);
        assertThat(product.get("/v1/keys").toString())
                .contains("\"environments\":[\"own\",\"other\"]");
        for (var wrong : List.of("\"UP\"", "\"own\",\"own\"", names(33))) {
            var body = "{\"name\":\"d\",\"environments\":[%s]}".formatted(wrong);
            var answer =
                    product.send(TestProduct.post(product.request("/v1/keys"), Json.parse(body)));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("environments");
        }
        key(product, "{\"name\":\"e\",\"environments\":[%s]}".formatted(names(32)));
    }

    private static String names(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> "\"e" + number + "\"")
                .collect(Collectors.joining(","));
    }

    private static String key(TestProduct product, String body) throws Exception {
        var answer = product.send(TestProduct.post(product.request("/v1/keys"), Json.parse(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Json.parse(answer.body()).get("secret").stringValue();
    }

    private static HttpRequest.Builder by(TestProduct product, String key, String path) {
        return product.open(path).header("Authorization", "Bearer " + key);
    }

    private static String said(TestProduct product, String key, String code, String environment)
            throws Exception {
        var order = Json.object().put("language", "python").put("code", code);
        if (!environment.isEmpty()) {
            order.put("environment", environment);
        }
        return product.send(TestProduct.post(by(product, key, "/v1/sandbox/execute"), order))
                .body();
    }

    /// With what pip of this machine can get. Where that is nothing, it is said in one line.
    @Test
    void the_environments_of_the_product_do_real_work(@TempDir Path directory) throws Exception {
        open(directory);
        try (var product = new TestProduct(directory)) {
            var baked = bake(product, Json.object().put("name", ShippedLock.DATA.word()));
            if (baked.path("state").asString().equals("failed")) {
                assertThat(baked.path("error").asString()).startsWith("No registry answered (");
                assertThat(baked.path("error").asString().lines()).hasSize(1);
                assertThat(product.get("/v1/runners").path("missing_environments").toString())
                        .contains("caisson environment bake data");
                return;
            }
            var drawn =
                    execute(
                            product,
                            """
                            import sys
                            print('numpy' in sys.modules)
                            import pandas, matplotlib
                            matplotlib.use('Agg')
                            import matplotlib.pyplot as plt
                            table = pandas.DataFrame({'a': [1, 2, 3], 'b': [4, 5, 6]})
                            table.plot(x='a', y='b')
                            plt.savefig('chart.png')
                            table.to_excel('table.xlsx')
                            print(int(table.b.sum()))
                            """,
                            "");
            assertThat(drawn.path("stdout").asString())
                    .as(drawn.toString())
                    .isEqualTo("True\n15\n");
            assertThat(drawn.toString()).contains("chart.png", "table.xlsx");
            forksDrawNumbersOfTheirOwn(product);
            figuresComeBack(product);
            assertThat(product.get("/v1/runners").path("environments").toString())
                    .contains("numpy", "pandas", "matplotlib");
            assertThat(
                            product.server
                                    .core
                                    .toolbox
                                    .tools(ToolGroup.of(Caller.LOCAL))
                                    .getFirst()
                                    .spec()
                                    .description())
                    .contains("Installed: matplotlib, numpy, openpyxl, pandas, pillow.");
        }
    }

    /// The numpy that was imported before the fork, with its generator for everybody. The hash that
    /// two runs share shows that they were forked from one interpreter.
    private static void forksDrawNumbersOfTheirOwn(TestProduct product) throws Exception {
        var code =
                """
                import sys
                print(hash('text'), 'numpy' in sys.modules)
                import numpy
                print(numpy.random.random(), numpy.random.randint(1 << 60), numpy.random.bytes(8).hex(),
                    numpy.random.default_rng().random(), numpy.random.get_state()[1][0])
                """;
        var pair = new ArrayList<List<String>>();
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    pair.clear();
                    for (int run = 0; run < 2; run++) {
                        var said = execute(product, code, "").path("stdout").asString();
                        pair.add(said.lines().toList());
                    }
                    return pair.getFirst().getFirst().equals(pair.getLast().getFirst());
                });
        assertThat(pair.getFirst().getFirst()).endsWith(" True");
        var first = List.of(pair.getFirst().getLast().split(" ", -1));
        assertThat(first)
                .hasSize(5)
                .doesNotContainAnyElementsOf(List.of(pair.getLast().getLast().split(" ", -1)));
    }

    /// Of a program, of one that a shell starts, and of a session; and nothing else is left.
    private static void figuresComeBack(TestProduct product) throws Exception {
        var plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\n";
        assertThat(changed(execute(product, plot, ""))).containsExactly("figure-1.png");
        assertThat(changed(execute(product, plot + "plt.show()\nplt.plot([2, 1])\n", "")))
                .containsExactly("figure-1.png", "figure-2.png");

        var shell = "cat > plot.py <<'END'\n" + plot + "END\npython3 plot.py";
        var order = Json.object().put("language", "bash").put("code", shell).put("timeout", 120);
        var ran = Json.parse(product.send(product.execute(order)).body());
        assertThat(changed(ran)).containsExactly("figure-1.png", "plot.py");
        assertThat(ran.path("stderr").asString()).isEmpty();

        var cell = order.put("thread_id", "figures").put("session", true);
        assertThat(changed(Json.parse(product.send(product.execute(cell)).body())))
                .containsExactly("figure-1.png", "plot.py");
        cell.put("language", "python").put("code", plot).put("display", true);
        assertThat(changed(Json.parse(product.send(product.execute(cell)).body())))
                .containsExactly("figure-2.png");

        var quiet =
                "import sys, os\nprint([p for p in sys.path if 'guest' in p], 'child' in str(sys.modules))";
        var found = execute(product, quiet + "\nimport sitecustomize", "");
        assertThat(found.path("stdout").asString()).isEqualTo("[] False\n");
        assertThat(found.path("stderr").asString()).doesNotContain("/run/guest");
        var child =
                Json.object().put("language", "bash").put("code", "python3 -c \"" + quiet + "\"");
        assertThat(
                        Json.parse(product.send(product.execute(child)).body())
                                .path("stdout")
                                .asString())
                .isEqualTo("[] False\n");
    }

    private static List<String> changed(JsonNode result) {
        assertThat(result.path("status").asString()).as(result.toString()).isEqualTo("success");
        return result.path("files")
                .valueStream()
                .filter(file -> file.path("changed").booleanValue())
                .map(file -> file.path("path").asString())
                .sorted()
                .toList();
    }

    @Test
    void the_first_start_says_what_it_asks_and_goes_on_without(@TempDir Path directory)
            throws Exception {
        try (var product =
                new TestProduct(
                        directory, "environments.registries=https://nobody.invalid/simple")) {
            assertThat(product.server.core.bakeFirst().orElseThrow())
                    .contains("data, dev", "nobody.invalid", "environments.bake=false");
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() ->
                            product.server.core.environments.bakes().stream()
                                    .allMatch(each -> each.sentence().isPresent()));
            assertThat(product.server.core.environments.bakes())
                    .allMatch(each ->
                            each.sentence()
                                    .orElseThrow()
                                    .startsWith("No registry answered (nobody.invalid)"));
            assertThat(execute(product, "print(1)", "").path("stdout").asString()).isEqualTo("1\n");
        }
        try (var quiet = new TestProduct(directory, "environments.bake=false")) {
            assertThat(quiet.server.core.bakeFirst()).isEmpty();
        }
    }

    @Test
    void a_server_sees_what_another_on_its_data_directory_has_baked(@TempDir Path directory)
            throws Exception {
        open(directory);
        var index =
                Wheels.publish(
                        directory.resolve("registry"), "tiny", "1.0", Wheels.plain("tiny", "1.0"));
        try (var one = new TestProduct(directory, "environments.registries=" + index);
                var other = new TestProduct(directory, "environments.registries=" + index)) {
            bake(one, Json.object().put("name", "own").put("python", "tiny"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() ->
                            !other.server.core.services.runs.runners().environments().isEmpty());
            assertThat(other.server.core.environments.all()).hasSize(1);
        }
    }
}
