package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.environments.Registry;
import dev.caisson.environments.Wheels;
import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers in processes of their own that bake: one is killed in the middle of it, two do it at
/// once.
@Tag("root")
@Tag("slow")
@Timeout(300)
class KilledBakeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int FILES = 2_000;

    @TempDir Path directory;
    private Registry registry;

    @BeforeEach
    void publish() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        registry = new Registry();
        // So many files that installing them takes a while.
        var files = new TreeMap<String, String>(Map.of("tiny.py", "VERSION = '1.0'\n"));
        for (int number = 0; number < FILES; number++) {
            files.put("many/m%d.py".formatted(number), "A = %d\n".formatted(number));
        }
        registry.publish("tiny", "1.0", Wheels.wheel("tiny", "1.0", files));
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private ChildServer server() throws IOException {
        var index = "environments.registries=" + registry.address() + "/simple";
        return new ChildServer(directory, PATIENCE, List.of(), List.of(index));
    }

    /// @return where it is followed
    private static String bake(ChildServer server, String name, String lock) throws Exception {
        var wanted = Json.object().put("name", name).put("python", lock);
        var begun = server.post("/v1/environments", wanted);
        assertThat(begun.has("id")).as(begun.toString()).isTrue();
        return "/v1/environments/bakes/" + begun.path("id").stringValue();
    }

    private static void awaitDone(ChildServer server, String place) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(Json.parse(server.get(place).body()).path("state").asString())
                                .isEqualTo("done"));
    }

    private static List<String> offered(ChildServer server) throws Exception {
        return Json.parse(server.get("/v1/environments").body())
                .path("environments")
                .findValuesAsString("hash");
    }

    private static String imported(ChildServer server, String environment) throws Exception {
        return server.post(
                        "/v1/sandbox/execute",
                        Json.object()
                                .put("language", "python")
                                .put("environment", environment)
                                .put("code", "import tiny, many.m1999\nprint(tiny.VERSION)"))
                .path("stdout")
                .asString();
    }

    private List<String> in(String place) throws IOException {
        try (var files = Files.list(directory.resolve(place))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.equals(".work") && !name.endsWith(".lock"))
                    .toList();
        }
    }

    private void assertBakesAgain() throws Exception {
        try (var next = server()) {
            assertThat(offered(next)).isEmpty();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(in("environments/.work")).isEmpty());
            assertThat(in("environments")).isEmpty();
            awaitDone(next, bake(next, "own", "tiny"));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(imported(next, "own")).isEqualTo("1.0\n"));
            assertThat(in("environments")).hasSize(1).containsAll(offered(next));
            assertThat(in("environments/.work")).isEmpty();
        }
    }

    @Test
    void a_server_that_is_killed_while_it_fetches_leaves_nothing_that_is_used() throws Exception {
        try (var killed = server();
                var _ = registry.hold()) {
            bake(killed, "own", "tiny");
            await().atMost(PATIENCE).until(() -> !registry.asked().isEmpty());
            assertThat(in("environments/.work")).hasSize(1);
            killed.kill();
            assertThat(in("environments/.work")).as("what a killed server leaves").hasSize(1);
        }
        assertBakesAgain();
    }

    @Test
    void a_server_that_is_killed_while_it_installs_leaves_nothing_that_is_used() throws Exception {
        try (var killed = server()) {
            var place = bake(killed, "own", "tiny");
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> killed.get(place).body().contains("== install"));
            killed.kill();
            assertThat(in("environments")).isEmpty();
        }
        assertBakesAgain();
    }

    @Test
    void two_servers_on_one_data_directory_bake_the_same_once() throws Exception {
        try (var one = server();
                var other = server()) {
            String first;
            String second;
            try (var _ = registry.hold()) {
                first = bake(one, "own", "tiny");
                second = bake(other, "own", "tiny");
                await().atMost(PATIENCE).until(() -> !registry.asked().isEmpty());
            }
            awaitDone(one, first);
            awaitDone(other, second);
            assertThat(registry.asked().stream().filter(path -> path.endsWith(".whl"))).hasSize(1);
            assertThat(in("environments")).hasSize(1).containsAll(offered(other));
            assertThat(in("environments/.work")).isEmpty();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(imported(one, "own")).isEqualTo("1.0\n"));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(imported(other, "own")).isEqualTo("1.0\n"));
        }
    }

    @Test
    void two_servers_that_bake_different_locks_under_one_name_both_end_well() throws Exception {
        try (var one = server();
                var other = server()) {
            var first = bake(one, "own", "tiny");
            var second = bake(other, "own", "tiny==1.0");
            awaitDone(one, first);
            awaitDone(other, second);
            assertThat(in("environments")).hasSize(2).containsAll(offered(one));
            assertThat(offered(one)).hasSize(1).isEqualTo(offered(other));
        }
    }
}
