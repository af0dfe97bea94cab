package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// From the word of an upstream that its tools are others to the files that programs import.
@Tag("root")
@Timeout(180)
class ChangedListTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// How many changes follow each other.
    private static final int CHANGES = 4;

    /// Has one tool more after each call of `grow`, and says so.
    private static final String SERVER =
            """
            import json, sys
            TOOLS = ["grow"]
            def say(message):
                print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
            for line in sys.stdin:
                message = json.loads(line)
                if "id" not in message:
                    continue
                method = message.get("method")
                if method == "initialize":
                    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": True}},
                              "serverInfo": {"name": "grower", "version": "1"}}
                elif method == "tools/list":
                    result = {"tools": [{"name": name, "description": "Grows.", "inputSchema": {"type": "object"},
                                         "annotations": {"readOnlyHint": True}} for name in TOOLS]}
                elif method == "tools/call":
                    TOOLS.append("grown_%d" % len(TOOLS))
                    say({"method": "notifications/tools/list_changed"})
                    result = {"content": [{"type": "text", "text": TOOLS[-1]}]}
                elif method == "ping":
                    result = {}
                else:
                    say({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
                    continue
                say({"id": message["id"], "result": result})
            """;

    @TempDir Path directory;

    @TempDir(factory = UpstreamProductTest.OutsideTmp.class)
    Path shown;

    private static String imported(TestProduct product) throws Exception {
        var program =
                TestProduct.bash("cat /run/job/servers/grower/__init__.py 2>/dev/null || true");
        return Json.parse(product.send(product.execute(program)).body())
                .path("stdout")
                .asString("");
    }

    @Test
    void programs_import_what_a_changed_list_has_and_the_ledger_knows_of_it() throws Exception {
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(shown.resolve("server.py"), SERVER);
        var file = directory.resolve("upstreams.yaml");
        Files.writeString(
                file,
                """
                grower:
                  command: [python3, %s/server.py]
                  show: [%s]
                  trust: trusted
                  review: auto
                """
                        .formatted(shown, shown));
        try (var product =
                new TestProduct(directory, "upstreams.file=" + file, "environments.bake=false")) {
            await().atMost(PATIENCE).until(() -> imported(product).contains("grow"));
            var times = new ArrayList<Long>();
            for (int change = 1; change <= CHANGES; change++) {
                var name = "grown_" + change;
                var grown =
                        product.send(
                                TestProduct.post(
                                        product.request("/v1/tools/grower/grow/call"),
                                        Json.object()));
                assertThat(grown.body()).contains(name);
                long began = System.nanoTime();
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> imported(product).contains(name));
                times.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
            }
            System.out.println("list_changed to imported files, in ms: " + times);

            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(
                                            product.get(
                                                            "/v1/ledger?limit=200&tool=upstream_drift/grower")
                                                    .path("entries"))
                                    .hasSize(CHANGES + 1)
                                    .allSatisfy(entry ->
                                            assertThat(entry.path("door").asString(""))
                                                    .isEqualTo("inside")));
        }
    }
}
