package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.judge.Judges;
import dev.caisson.acceptance.judge.Program;
import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// The packages of `clients/` are built, and pass their own tests against the product; the examples
/// of their READMEs print what the READMEs say.
@Tag("root")
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClientLibrariesTest {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Path PYTHON = Repository.root().resolve("clients/python");
    private static final Path TYPESCRIPT = Repository.root().resolve("clients/typescript");

    private Path directory;
    private Product product;
    private Judges judges;
    private Path wheel;
    private Path project;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        directory = temporary;
        judges = Judges.ready();
        wheel = builtWheel();
        project = builtPackage();
        product = Product.start(Files.createDirectory(directory.resolve("data")));
    }

    @AfterAll
    void stop() {
        product.close();
    }

    /// As `pip wheel` does, which asks the backend.
    private Path builtWheel() {
        var name =
                run(
                                PYTHON,
                                Map.of("PYTHONDONTWRITEBYTECODE", "1"),
                                "python3",
                                "-c",
                                "import sys, wheel_backend;"
                                        + " print(wheel_backend.build_wheel(sys.argv[1]))",
                                directory.toString())
                        .out()
                        .strip();
        assertThat(name).endsWith("-py3-none-any.whl");
        return directory.resolve(name);
    }

    /// A project that has installed the package.
    private Path builtPackage() throws IOException {
        var sources = Judges.scratch("typescript-client");
        run(sources, Map.of(), "cp", "-r", TYPESCRIPT + "/.", ".");
        judges.packaged("typescript/bin/tsc", List.of("-p", sources.toString()), LIMIT).expect(0);
        var archive =
                run(sources, Map.of(), "npm", "pack", "--ignore-scripts", "--silent").out().strip();
        var user = Judges.scratch("typescript-user");
        var installed = Files.createDirectories(user.resolve("node_modules/caisson-client"));
        var tar = sources.resolve(archive).toString();
        run(installed, Map.of(), "tar", "xzf", tar, "--strip-components=1");
        Files.writeString(user.resolve("package.json"), "{\"type\":\"module\"}");
        return user;
    }

    @Test
    void the_python_client_passes_its_tests() {
        var tests = PYTHON.resolve("tests/test_client.py").toString();
        var said = run(directory, pythonEnvironment(), "python3", tests).err();
        assertThat(said).contains("OK").containsPattern("Ran 1\\d tests");
    }

    @Test
    void the_examples_of_the_python_readme_print_what_it_says() throws IOException {
        var readme = FencedBlocks.of(PYTHON.resolve("README.md"));
        var program = Files.writeString(directory.resolve("readme.py"), readme.joined("python"));
        var said = run(directory, pythonEnvironment(), "python3", program.toString()).out();
        assertThat(said).isEqualTo(readme.joined("text"));
    }

    @Test
    void the_typescript_client_passes_its_tests() throws IOException {
        var tests = project.resolve("client.test.mjs");
        Files.copy(TYPESCRIPT.resolve("tests/client.test.mjs"), tests);
        var said = run(project, environment(), "node", "--test", tests.toString()).out();
        assertThat(said).containsPattern("pass 1\\d").contains("fail 0");
    }

    @Test
    void the_examples_of_the_typescript_readme_compile_and_print_what_it_says() throws IOException {
        var readme = FencedBlocks.of(TYPESCRIPT.resolve("README.md"));
        var program = Files.writeString(project.resolve("readme.ts"), readme.joined("ts"));
        var compiling =
                List.of(
                        "--strict",
                        "--target",
                        "es2022",
                        "--module",
                        "nodenext",
                        "--lib",
                        "es2023,dom,dom.iterable",
                        program.toString());
        judges.packaged("typescript/bin/tsc", compiling, LIMIT).expect(0);
        var said = run(project, environment(), "node", "readme.js").out();
        assertThat(said).isEqualTo(readme.joined("text"));
    }

    private Map<String, String> environment() {
        return Map.of(
                "CAISSON_URL",
                "http://127.0.0.1:" + product.port(),
                "CAISSON_KEY",
                product.clientKey(),
                "NO_COLOR",
                "1");
    }

    /// A wheel is an archive that Python imports from.
    private Map<String, String> pythonEnvironment() {
        var all = new TreeMap<>(environment());
        all.put("PYTHONPATH", wheel.toString());
        return all;
    }

    private static Program.Ended run(Path where, Map<String, String> env, String... command) {
        return Program.run(List.of(command), where, env, LIMIT).expect(0);
    }
}
