package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Examples of programs that call tools work as they stand: the first program of the document, and
/// the commands of the README that lead to a call of a server from npm, pasted into a shell with
/// another port and another place of the package.
@Tag("root")
@Tag("browser")
@Timeout(300)
class ReadmeCodeModeTest {
    private static final Pattern COMMANDS =
            Pattern.compile("(?s)\\*\\*Code mode in five minutes\\*\\*.*?```sh\n(.*?)```");

    /// What the README says of the answer.
    private static final Pattern SAID = Pattern.compile("prints one line, `([^`]+)`");

    @TempDir Path directory;

    @TempDir(factory = UpstreamProductTest.OutsideTmp.class)
    Path packages;

    @Test
    void the_commands_of_the_readme_lead_to_a_call() throws Exception {
        var readme = Repository.text("README.md");
        var commands = COMMANDS.matcher(readme);
        assertThat(commands.find()).isTrue();
        var said = SAID.matcher(readme);
        assertThat(said.find()).isTrue();
        Files.setPosixFilePermissions(packages, PosixFilePermissions.fromString("rwxr-xr-x"));
        launcher();
        try (var product = new TestProduct(directory, "environments.bake=false")) {
            var script =
                    commands.group(1)
                            .replace("/opt/mcp", packages.toString())
                            .replace("http://127.0.0.1:8080", product.server.address().toString());
            assertThat(script).contains("npm install", "upstream add", "curl");
            assertThat(pasted(script)).contains("**stdout:**\\n```\\n" + said.group(1) + "\\n```");
        }
    }

    @Test
    void the_first_program_of_the_document_runs() throws Exception {
        var call = Pattern.compile("(?s)```json\n(\\{\"code\".*?)```");
        var example = call.matcher(Repository.text("docs/code-mode.md"));
        assertThat(example.find()).isTrue();
        try (var product = new TestProduct(directory, "environments.bake=false")) {
            var run = product.execute((ObjectNode) Json.parse(example.group(1)));
            var ended = Json.parse(product.send(run).body());
            assertThat(ended.path("status").asString()).as(ended.toString()).isEqualTo("success");
            assertThat(ended.at("/tools/calls").asInt()).isEqualTo(1);
        }
    }

    /// What stands in for the launcher, which would build first.
    private void launcher() throws IOException {
        var file = directory.resolve("caisson");
        Files.writeString(
                file,
                """
                #!/bin/sh
                cd '%s' && exec %s --enable-native-access=ALL-UNNAMED -cp '%s' %s "$@"
                """
                        .formatted(
                                // The class path may be relative to it.
                                System.getProperty("user.dir"),
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                ChildServer.classPath(),
                                Main.class.getName()));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private String pasted(String script) throws Exception {
        var builder = new ProcessBuilder(List.of("bash", "-e", "-c", script));
        builder.environment().put("CAISSON_DATA_DIRECTORY", directory.resolve("data").toString());
        builder.environment().put("CAISSON_CONFIG", "/dev/null");
        var process = builder.directory(directory.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(script).isTrue();
        return said;
    }
}
