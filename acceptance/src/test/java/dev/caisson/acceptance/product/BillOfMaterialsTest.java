package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/// `caisson bom` names what the build has, no more and no less.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BillOfMaterialsTest {
    private List<Path> files = List.of();

    @BeforeAll
    void ask() throws Exception {
        var launcher = Repository.root().resolve("caisson").toString();
        var process =
                new ProcessBuilder(launcher, "bom")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        files = process.inputReader().readAllLines().stream().map(Path::of).toList();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void there_is_one_for_each_part() {
        assertThat(files.stream().map(file -> file.getFileName().toString()))
                .containsExactly("console.cdx.json", "guests.cdx.json", "server.cdx.json");
    }

    @Test
    void that_of_the_server_names_exactly_its_jars() throws IOException {
        var lib = files.getFirst().resolveSibling("../lib");
        try (var jars = Files.list(lib)) {
            var shipped =
                    jars.map(jar -> jar.getFileName().toString())
                            .filter(name -> !name.equals("caisson-server.jar"))
                            .toList();
            assertThat(components("server").map(BillOfMaterialsTest::jar))
                    .containsExactlyInAnyOrderElementsOf(shipped)
                    .hasSizeGreaterThan(20);
        }
    }

    @Test
    void that_of_the_guests_names_exactly_what_is_put_into_sandboxes() throws IOException {
        var installed = files.getFirst().resolveSibling("../guests/node/node_modules");
        try (var packages = Files.walk(installed)) {
            var manifests =
                    packages.filter(file -> file.endsWith("package.json"))
                            .map(file -> installed.relativize(file.getParent()).toString())
                            .toList();
            assertThat(components("guests").map(BillOfMaterialsTest::name))
                    .containsExactlyInAnyOrderElementsOf(manifests)
                    .contains("esbuild");
        }
    }

    @Test
    void that_of_the_console_names_what_is_in_its_files_and_not_what_builds_them()
            throws IOException {
        assertThat(components("console").map(BillOfMaterialsTest::name))
                .contains("preact", "codemirror", "@codemirror/state")
                .doesNotContain("vite", "esbuild", "rollup", "typescript", "vitest");
    }

    private Stream<JsonNode> components(String part) throws IOException {
        var bom = Json.parse(Files.readAllBytes(file(part)));
        assertThat(bom.path("bomFormat").stringValue()).isEqualTo("CycloneDX");
        assertThat(bom.path("components"))
                .allSatisfy(component -> {
                    assertThat(component.path("purl").stringValue()).startsWith("pkg:");
                    assertThat(component.path("hashes")).isNotEmpty();
                });
        return bom.path("components").valueStream();
    }

    private Path file(String part) {
        return files.stream()
                .filter(file -> file.endsWith(part + ".cdx.json"))
                .findAny()
                .orElseThrow();
    }

    private static String jar(JsonNode component) {
        return component.path("name").stringValue()
                + "-"
                + component.path("version").stringValue()
                + ".jar";
    }

    private static String name(JsonNode component) {
        var group = component.path("group").asString("");
        return (group.isEmpty() ? "" : group + "/") + component.path("name").stringValue();
    }
}
