package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.environments.Wheels;
import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A whole image, made by the recipe of the documentation, where debootstrap takes the files of
/// this machine: chosen by a call, with its own packages, and with the same words about the
/// network.
@Tag("root")
@Timeout(300)
class ImageProductTest {
    private static final Path MAKER =
            Repository.ROOT.resolve("server/src/test/resources/dev/caisson/host-image.sh");

    @TempDir static Path directory;
    private static TestProduct product;

    @BeforeAll
    static void followTheRecipe() throws Exception {
        open(directory);
        var place = Files.createDirectory(directory.resolve("place"));
        open(place);
        var serve = recipe(place);
        assertThat(serve).startsWith("serve --set sandbox.image_directory=" + place + "/images");
        Files.writeString(
                Files.createDirectories(place.resolve("images/shell")).resolve("runner.yaml"),
                "language: bash\n");
        Files.createSymbolicLink(
                place.resolve("images/shell/rootfs"), place.resolve("images/science/rootfs"));
        var index =
                Wheels.publish(
                        directory.resolve("registry"), "tiny", "1.0", Wheels.plain("tiny", "1.0"));
        product =
                new TestProduct(
                        directory.resolve("data"),
                        serve.split(" ", -1)[2],
                        "environments.registries=" + index,
                        "sandbox.environments=own");
        var wanted = Json.object().put("name", "own").put("python", "tiny");
        product.send(TestProduct.post(product.request("/v1/environments"), wanted));
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .until(() -> product.get("/v1/runners").path("environments").size() == 1);
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    private static void open(Path each) throws IOException {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Does what the documentation says, with stand-ins for what is not of this test.
    ///
    /// @return the arguments the server would be started with
    private static String recipe(Path place) throws Exception {
        var lines =
                Files.readAllLines(Repository.ROOT.resolve("docs/environments.md")).stream()
                        .dropWhile(line -> !line.startsWith("## A whole image"))
                        .filter(line ->
                                line.startsWith("sudo ")
                                        || line.startsWith("printf ")
                                        || line.startsWith("mkdir "))
                        .collect(Collectors.joining("\n"));
        assertThat(lines).contains("debootstrap", "runner.yaml", "caisson serve");
        program(place.resolve("bin/sudo"), "exec \"$@\"");
        program(
                place.resolve("bin/debootstrap"),
                "for each; do :; done; sh %s \"$each\"".formatted(MAKER));
        program(place.resolve("caisson"), "echo \"$@\"");
        var shell =
                new ProcessBuilder("sh", "-eu", "-c", lines)
                        .directory(place.toFile())
                        .redirectErrorStream(true);
        shell.environment().merge("PATH", place + "/bin", (path, own) -> own + ":" + path);
        var process = shell.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    private static void program(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        open(file);
    }

    private static JsonNode execute(ObjectNode order) throws Exception {
        return Json.parse(product.send(product.execute(order)).body());
    }

    private static ObjectNode order(String image, String code) {
        return Json.object().put("code", code).put("image", image);
    }

    @Test
    void a_call_chooses_the_image_and_finds_its_packages_alone() throws Exception {
        var code = "import imagepack\nprint(imagepack.ORIGIN)";
        assertThat(execute(order("science", code)).path("stdout").asString()).isEqualTo("image\n");
        var onHost = order("host", code).put("language", "python");
        assertThat(execute(onHost).path("stderr").asString()).contains("ModuleNotFoundError");
        var baked = "import tiny\nprint(tiny.VERSION)";
        assertThat(execute(order("host", baked)).path("stdout").asString()).isEqualTo("1.0\n");
        assertThat(execute(order("science", baked)).path("stderr").asString())
                .contains("ModuleNotFoundError");
        assertThat(execute(order("shell", "echo $0; ls /opt")).path("stderr").asString())
                .contains("/opt");
    }

    @Test
    void what_an_image_cannot_be_asked_is_refused() throws Exception {
        assertThat(execute(order("science", "1").put("environment", "own")).toString())
                .contains("The image science has packages of its own");
        assertThat(execute(order("science", "1").put("language", "node")).toString())
                .contains("There is no image 'science' for node here.");
        assertThat(execute(order("nobody", "1")).toString())
                .contains("There is no image 'nobody' here.", "science (python)", "shell (bash)");
    }

    @Test
    void images_are_listed_apart() throws Exception {
        var listed =
                product.get("/v1/runners")
                        .path("languages")
                        .valueStream()
                        .map(each ->
                                each.path("language").asString()
                                        + " "
                                        + each.path("image").asString())
                        .toList();
        assertThat(listed).contains("python host", "python science", "bash host", "bash shell");
        assertThat(product.get("/v1/runners").toString()).doesNotContain(directory.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pip install requests",
                "pip3 install -r requirements.txt",
                "npm install lodash",
                "apt-get install -y jq",
                "curl https://example.com/x",
                "wget https://example.com/x",
                "git clone https://example.com/a.git"
            })
    void what_needs_a_network_is_answered_in_images_and_their_sessions(String command)
            throws Exception {
        var inSession = order("shell", command).put("thread_id", "stubs").put("session", true);
        for (var each : List.of(order("shell", command), inSession)) {
            var said = execute(each);
            assertThat(said.path("stderr").asString())
                    .as(said.toString())
                    .startsWith(command.split(" ", 2)[0] + ": this sandbox has no network, so ");
        }
    }

    @Test
    void advice_follows_a_missing_module_in_images_and_in_sessions() throws Exception {
        var code = "import requests";
        var alone = execute(order("science", code));
        var inSession =
                execute(order("science", code).put("thread_id", "advice").put("session", true));
        for (var each : List.of(alone, inSession)) {
            assertThat(each.toString())
                    .contains("'requests' is not installed here, and there is no network")
                    .doesNotContain("Installed: tiny");
        }
        var ofHost =
                order("host", code)
                        .put("language", "python")
                        .put("thread_id", "advice-host")
                        .put("session", true);
        assertThat(execute(ofHost).toString())
                .contains("'requests' is not installed here", "Installed: tiny.");
    }

    @Test
    void a_session_lives_in_its_image_and_begins_anew_in_another() throws Exception {
        var thread = "image-session";
        var set = order("science", "import imagepack\nx = 41");
        execute(set.put("thread_id", thread).put("session", true));
        var kept = order("science", "print(x + 1, imagepack.ORIGIN)");
        assertThat(
                        execute(kept.put("thread_id", thread).put("session", true))
                                .path("stdout")
                                .asString())
                .isEqualTo("42 image\n");
        var host = order("host", "print('x' in globals())").put("language", "python");
        var moved = execute(host.put("thread_id", thread).put("session", true));
        assertThat(moved.path("stdout").asString()).isEqualTo("False\n");
        assertThat(moved.toString()).contains("the runner of its language was replaced");
    }
}
