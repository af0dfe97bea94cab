package dev.caisson.environments;

import static dev.caisson.environments.BakeBench.baked;
import static dev.caisson.environments.BakeBench.failed;
import static dev.caisson.environments.BakeBench.python;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.PackageEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Environments baked in real sandboxes, from registries the tests make.
class BakeTest extends BakeTestCase {
    @Test
    void packages_of_a_directory_are_imported_without_a_network() throws Exception {
        var wheel =
                Wheels.wheel(
                        "tiny",
                        "1.2",
                        Map.of(
                                "tiny/__init__.py",
                                "import sys\nVERSION = '1.2'\n",
                                "tiny-1.2.dist-info/entry_points.txt",
                                "[console_scripts]\ntiny-hello = tiny:hello\n"));
        var index = Wheels.publish(bench.directory().resolve("registry"), "tiny", "1.2", wheel);
        try (var environments = bench.environments(index)) {
            var record = baked(environments, "own", python("tiny  # any\n", "tiny"));
            assertThat(record.hosts()).isEmpty();
            var all = environments.all();
            assertThat(all).hasSize(1);
            assertThat(all.getFirst().packages())
                    .containsExactly(new PackageEnvironment.Item("tiny", "1.2"));
            assertThat(all.getFirst().hash()).isEqualTo(record.hash());
            var said =
                    bench.run(
                            Language.PYTHON,
                            """
                            import sys
                            print('tiny' in sys.modules)
                            import tiny
                            print(tiny.VERSION, tiny.__file__, tiny.__cached__)
                            try:
                                open('/opt/env/own/python/tiny/x', 'w')
                            except OSError as refused:
                                print(refused.strerror)
                            """,
                            all);
            assertThat(said)
                    .startsWith("True\n1.2 /opt/env/own/python/tiny/__init__.py ")
                    .contains(".pyc\n")
                    .endsWith("Read-only file system\n");
            assertThat(
                            bench.run(
                                    Language.BASH,
                                    "command -v tiny-hello; python3 -c 'import tiny'",
                                    all))
                    .isEqualTo("/opt/env/own/bin/tiny-hello\n");
            assertThat(bench.run(Language.PYTHON, "import tiny", List.of()))
                    .contains("ModuleNotFound");
            var manifest = Manifest.in(all.getFirst().directory()).orElseThrow();
            assertThat(manifest.resolved()).matches("tiny==1.2 --hash=sha256:[0-9a-f]{64}");
            assertThat(
                            new Lock(Optional.of(manifest.resolved()), Optional.empty(), List.of())
                                    .python())
                    .isPresent();
        }
    }

    @Test
    void the_workspace_wins_over_what_was_preloaded() throws Exception {
        var index =
                Wheels.publish(
                        bench.directory().resolve("registry"),
                        "tiny",
                        "1.0",
                        Wheels.wheel("tiny", "1.0", Map.of("tiny.py", "import colorsys\n")));
        try (var environments = bench.environments(index)) {
            baked(environments, "own", python("tiny==1.0", "tiny"));
            var all = environments.all();
            var workspace = bench.rig().workspace();
            Files.writeString(workspace.resolve("colorsys.py"), "OWN = 'mine'\n");
            var code = "import tiny, colorsys\nprint(colorsys.OWN)";
            assertThat(bench.run(Language.PYTHON, code, all, workspace)).isEqualTo("mine\n");
        }
    }

    @Test
    void the_same_lock_has_the_same_hash_and_is_baked_once() throws Exception {
        var index = bench.tiny("1.0");
        try (var environments = bench.environments(index);
                var others = bench.environments("file:///nowhere/simple")) {
            var first = baked(environments, "one", python("tiny==1.0\n"));
            // It is there already: nobody asks a registry.
            var second = baked(others, "two", python("# a comment\ntiny==1.0"));
            assertThat(second.hash()).isEqualTo(first.hash());
            assertThat(bench.left()).containsExactly(first.hash());
            assertThat(environments.all())
                    .extracting(PackageEnvironment::name)
                    .containsExactly("one", "two");
            assertThat(python("tiny==1.1").hash("python 3.11"))
                    .isNotEqualTo(python("tiny==1.0").hash("python 3.11"));
            assertThat(python("tiny==1.0").hash("python 3.13"))
                    .isNotEqualTo(python("tiny==1.0").hash("python 3.11"));
        }
    }

    @Test
    void two_who_bake_the_same_name_get_one_environment() throws Exception {
        var index = bench.tiny("1.0");
        try (var one = bench.environments(index);
                var other = bench.environments(index)) {
            var first = one.bake("same", python("tiny"));
            assertThatThrownBy(() -> one.bake("same", python("tiny")))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("being baked");
            var second = other.bake("same", python("tiny"));
            assertThat(List.of(first.await(), second.await())).containsOnly(BakeRecord.State.DONE);
            assertThat(bench.left()).containsExactly(first.hash());
            assertThat(bench.scratch()).isEmpty();
        }
    }

    @Test
    void the_fetch_reaches_its_registry_and_nothing_else() throws Exception {
        try (var registry = new Registry();
                var other = new Registry()) {
            registry.publish("tiny", "2.0", Wheels.plain("tiny", "2.0"));
            // A page that leads elsewhere.
            registry.put(
                    "/simple/lured/",
                    "<!DOCTYPE html><a href=\"%s/files/lured-1.0-py3-none-any.whl\">lured-1.0-py3-none-any.whl</a>"
                            .formatted(other.address().replace("127.0.0.1", "localhost"))
                            .getBytes(StandardCharsets.UTF_8));
            other.put("/files/lured-1.0-py3-none-any.whl", Wheels.plain("lured", "1.0"));
            try (var environments = bench.environments(registry.address() + "/simple")) {
                var record = baked(environments, "own", python("tiny"));
                assertThat(record.hosts()).containsExactly("127.0.0.1");
                assertThat(registry.asked())
                        .contains("/simple/tiny/", "/files/tiny-2.0-py3-none-any.whl");
                failed(environments, python("lured"));
                assertThat(other.asked()).isEmpty();
                assertThat(environments.all()).hasSize(1);
            }
        }
    }

    @Test
    void packages_for_node_are_found_by_both_kinds_of_modules() throws Exception {
        try (var registry = new Registry()) {
            var packed = tarball("module.exports = { version: '3.1.0' }\n");
            registry.put("/tinyjs/-/tinyjs-3.1.0.tgz", packed);
            var integrity =
                    "sha512-"
                            + Base64.getEncoder()
                                    .encodeToString(
                                            MessageDigest.getInstance("SHA-512").digest(packed));
            var lock =
                    """
                    {"name": "x", "lockfileVersion": 3, "packages": {
                      "": {"name": "x", "dependencies": {"tinyjs": "^3.0.0"}},
                      "node_modules/tinyjs": {"version": "3.1.0",
                        "resolved": "%s/tinyjs/-/tinyjs-3.1.0.tgz", "integrity": "%s"}}}
                    """
                            .formatted(registry.address(), integrity);
            try (var environments = bench.environments("npm:" + registry.address() + "/")) {
                baked(
                        environments,
                        "web",
                        new Lock(Optional.empty(), Optional.of(lock), List.of()));
                var all = environments.all();
                assertThat(all.getFirst().packages())
                        .containsExactly(new PackageEnvironment.Item("tinyjs", "3.1.0"));
                assertThat(bench.run(Language.NODE, "console.log(require('tinyjs').version)", all))
                        .isEqualTo("3.1.0\n");
                assertThat(
                                bench.run(
                                        Language.NODE,
                                        "import tiny from 'tinyjs'\nconsole.log(tiny.version)",
                                        all))
                        .isEqualTo("3.1.0\n");
            }
        }
    }

    /// A package as npm packs it: a tar with two files.
    private static byte[] tarball(String index) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zipped = new GZIPOutputStream(bytes)) {
            for (var file :
                    Map.of(
                                    "package/package.json",
                                    "{\"name\":\"tinyjs\",\"version\":\"3.1.0\"}",
                                    "package/index.js",
                                    index)
                            .entrySet()) {
                var body = file.getValue().getBytes(StandardCharsets.UTF_8);
                var head = new byte[512];
                put(head, 0, file.getKey());
                put(head, 100, "0000644\0000000000\0000000000\000");
                put(head, 124, "%011o\000%011o\000".formatted(body.length, 0));
                put(head, 148, "        0");
                put(head, 257, "ustar\00000");
                int sum = 0;
                for (byte each : head) {
                    sum += each;
                }
                put(head, 148, "%06o\000 ".formatted(sum));
                zipped.write(head);
                zipped.write(body);
                zipped.write(new byte[(512 - body.length % 512) % 512]);
            }
            zipped.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static void put(byte[] head, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }

    @Test
    void a_removed_environment_stays_for_those_who_use_it_and_then_goes() throws Exception {
        var index = bench.tiny("1.0");
        try (var environments = bench.environments(index)) {
            var record = baked(environments, "own", python("tiny"));
            environments.remove("own");
            assertThat(environments.all()).isEmpty();
            assertThat(environments.sweep()).isZero();
            assertThat(bench.left()).containsExactly(record.hash());
            Files.setLastModifiedTime(
                    bench.directory().resolve("data/environments").resolve(record.hash()),
                    FileTime.fromMillis(0));
            assertThat(environments.sweep()).isEqualTo(1);
            assertThat(bench.left()).isEmpty();
            assertThatThrownBy(() -> environments.remove("own"))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("There is no environment own");
        }
    }
}
