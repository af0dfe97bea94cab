package dev.caisson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.ZstdInputStream;
import dev.caisson.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Files from the program that made them to the client that fetches them: the real server, real
/// sandboxes, every door.
class FilesServiceTest extends ProductTestCase {
    private static final String SECRET = "test-file-secret";

    FilesServiceTest() {
        super(
                "auth.enabled=false",
                "files.secret=" + SECRET,
                "files.lasting_links=true",
                "sandbox.workspace_bytes=64MiB",
                "sandbox.workspace_files=1000");
    }

    private HttpResponse<byte[]> send(String method, URI uri, byte[] body, String... headers)
            throws Exception {
        var request =
                HttpRequest.newBuilder(uri)
                        .method(
                                method,
                                body.length == 0
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return product.http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private HttpResponse<byte[]> get(String url, String... headers) throws Exception {
        return send("GET", URI.create(url), new byte[0], headers);
    }

    private JsonNode rest(String method, String path, JsonNode body, int status) throws Exception {
        var answer =
                send(
                        method,
                        product.server.address().resolve(path),
                        body.isEmpty() ? new byte[0] : Json.bytes(body),
                        "Content-Type",
                        "application/json");
        assertThat(answer.statusCode()).as(text(answer)).isEqualTo(status);
        return answer.body().length == 0 ? Json.object() : Json.parse(answer.body());
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), UTF_8);
    }

    private JsonNode tool(String name, ObjectNode arguments) throws Exception {
        var call = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        call.putObject("params").put("name", name).set("arguments", arguments);
        var answer =
                send(
                        "POST",
                        product.server.address().resolve("/mcp"),
                        Json.bytes(call),
                        "Content-Type",
                        "application/json",
                        "Accept",
                        "application/json, text/event-stream");
        return result(text(answer)).get("structuredContent");
    }

    private static JsonNode result(String answer) {
        var json =
                answer.startsWith("{")
                        ? answer
                        : answer.lines()
                                .filter(line -> line.startsWith("data:") && line.contains("result"))
                                .map(line -> line.substring("data:".length()))
                                .reduce((_, last) -> last)
                                .orElseThrow();
        return Json.parse(json).get("result");
    }

    private JsonNode bash(String code, String thread) throws Exception {
        return rest("POST", "/v1/sandbox/execute", bashArguments(code, thread), 200);
    }

    private static ObjectNode bashArguments(String code, String thread) {
        return Json.object().put("language", "bash").put("code", code).put("thread_id", thread);
    }

    private static String url(JsonNode report, String path) {
        return report.get("files")
                .valueStream()
                .filter(file -> file.get("path").stringValue().equals(path))
                .map(file -> file.get("url").stringValue())
                .findFirst()
                .orElseThrow();
    }

    private static ObjectNode file(String source, String id, String path) {
        return Json.object().put("source", source).put("id", id).put("path", path);
    }

    @Test
    void what_a_run_leaves_is_fetched_by_the_link_in_its_report() throws Exception {
        var report = bash("mkdir d; printf hello > 'd/a b%.txt'", "t 1");
        var url = url(report, "d/a b%.txt");

        var whole = get(url);
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(text(whole)).isEqualTo("hello");
        var headers = whole.headers();
        assertThat(headers.firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(headers.firstValue("Content-Security-Policy").orElseThrow()).contains("sandbox");
        assertThat(headers.firstValue("Content-Disposition"))
                .hasValue("inline; filename=\"a b_.txt\"; filename*=UTF-8''a%20b%25.txt");

        var head = send("HEAD", URI.create(url), new byte[0]);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).hasValue("5");

        var tag = headers.firstValue("ETag").orElseThrow();
        assertThat(get(url, "If-None-Match", tag).statusCode()).isEqualTo(304);
        assertThat(get(url, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @Test
    void a_part_of_a_file_is_fetched() throws Exception {
        var url = url(bash("printf 0123456789 > ten", "ranges"), "ten");
        var parts =
                Map.of(
                        "bytes=0-3",
                        "0123",
                        "bytes=8-",
                        "89",
                        "bytes=-3",
                        "789",
                        "bytes=5-99",
                        "56789");
        assertThat(parts).hasSize(4);

        for (var part : parts.entrySet()) {
            var answer = get(url, "Range", part.getKey());
            assertThat(answer.statusCode()).isEqualTo(206);
            assertThat(text(answer)).isEqualTo(part.getValue());
            assertThat(answer.headers().firstValue("Content-Range").orElseThrow()).endsWith("/10");
        }
        var beyond = get(url, "Range", "bytes=10-");
        assertThat(beyond.statusCode()).isEqualTo(416);
        assertThat(beyond.headers().firstValue("Content-Range")).hasValue("bytes */10");
        for (var whole : List.of("bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes=5-2")) {
            assertThat(get(url, "Range", whole).statusCode()).isEqualTo(200);
        }
        assertThat(get(url, "Range", "bytes=0-3", "If-Range", "\"old\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void what_could_run_in_a_browser_is_offered_to_be_saved() throws Exception {
        var report =
                bash(
                        "for f in a.html a.svg a.js a.xml a.pdf none; do echo '<script>1</script>' > $f;"
                                + " done",
                        "active");
        for (var name : List.of("a.html", "a.svg", "a.js", "a.xml", "a.pdf", "none")) {
            var headers = get(url(report, name)).headers();
            assertThat(headers.firstValue("Content-Disposition").orElseThrow())
                    .startsWith("attachment");
            assertThat(headers.firstValue("Content-Security-Policy"))
                    .hasValue("default-src 'none'; sandbox");
        }
    }

    @Test
    void a_link_that_was_changed_is_forbidden_and_one_to_nothing_is_not_found() throws Exception {
        var url = url(bash("echo x > a; echo y > b; ln -s /etc/passwd c", "guarded"), "a");

        assertThat(get(url.replace("/a?", "/b?")).statusCode()).isEqualTo(403);
        assertThat(get(url.replaceAll("sig=\\w", "sig=0")).statusCode()).isIn(200, 403);
        assertThat(get(url.replaceAll("&sig=.*", "")).statusCode()).isEqualTo(403);
        assertThat(send("DELETE", URI.create(url), new byte[0]).statusCode()).isEqualTo(405);
        bash("rm a; mkfifo a", "guarded");
        assertThat(get(url).statusCode()).isEqualTo(404);
        rest("POST", "/v1/files/download", file("thread", "guarded", "c"), 404);
    }

    @Test
    void a_link_without_expiry_works_where_the_operator_wants_it() throws Exception {
        bash("echo 1,2 > result.csv", "abc123");
        var sig = "f8cab09227591d213fcee20e7ca39dbced128689f3fa85931320382ebd797310";
        var path = product.server.address().resolve("/files/abc123/result.csv").toString();

        assertThat(get(path + "?sig=" + sig).statusCode()).isEqualTo(200);
        assertThat(get(path + "?sig=" + sig.replace('f', '0')).statusCode()).isEqualTo(403);
        assertThat(get(path).statusCode()).isEqualTo(403);
    }

    @Test
    void a_thread_whose_id_has_a_slash_has_links_without_expiry() throws Exception {
        bash("echo slash > c.txt", "a/b");
        var signed = hmac("a/b/c.txt");

        var found = get(product.server.address() + "/files/a%2Fb/c.txt?sig=" + signed);
        assertThat(found.statusCode()).as(text(found)).isEqualTo(200);
        assertThat(text(found)).isEqualTo("slash\n");
        for (var path : List.of("/files/a/b/c.txt", "/files/a/b%2Fc.txt", "/files%2Fa%2Fb/c.txt")) {
            assertThat(get(product.server.address() + path + "?sig=" + signed).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(
                        get(product.server.address() + "/files/a%252Fb/c.txt?sig=" + signed)
                                .statusCode())
                .isEqualTo(403);
        assertThat(get(product.server.address() + "/v1%2Fexecutions").statusCode()).isEqualTo(400);
    }

    private static String hmac(String text) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
    }

    @Test
    void a_link_has_each_of_its_parameters_once_and_no_others() throws Exception {
        bash("echo 1 > once", "params");
        var url =
                rest("POST", "/v1/files/download", file("thread", "params", "once"), 200)
                        .get("url")
                        .stringValue();
        var lasting = product.server.address() + "/files/params/once?sig=" + hmac("params/once");
        assertThat(get(url).statusCode()).isEqualTo(200);
        assertThat(get(lasting).statusCode()).isEqualTo(200);
        var wrong =
                List.of(
                        url + "&x=1",
                        url.replace("?", "?x=1&"),
                        url + "&sig=0",
                        url + "&" + url.replaceAll(".*(sig=)", "$1"),
                        url + "&exp=1",
                        url + "&%73ig=1",
                        lasting + "&x=1",
                        lasting + "&sig=" + hmac("params/once"),
                        lasting + "&kid=1",
                        lasting + "&at=1");
        assertThat(wrong).hasSize(10).doesNotHaveDuplicates();
        for (var each : wrong) {
            var refused = get(each);
            assertThat(refused.statusCode()).as(each).isEqualTo(400);
            assertThat(text(refused)).contains("\"error\":\"validation_error\"");
        }
    }

    @Test
    void a_large_file_is_stored_by_a_link_and_fetched_again() throws Exception {
        var link = rest("POST", "/v1/files/upload", file("thread", "up", "in/big.bin"), 200);
        assertThat(link.get("method").stringValue()).isEqualTo("PUT");
        var big = new byte[20 << 20];
        big[big.length - 1] = 7;

        var stored = send("PUT", URI.create(link.get("url").stringValue()), big);
        assertThat(stored.statusCode()).as(text(stored)).isEqualTo(200);
        var fetch = rest("POST", "/v1/files/download", file("thread", "up", "in/big.bin"), 200);
        assertThat(fetch.get("size").longValue()).isEqualTo(big.length);
        assertThat(get(fetch.get("url").stringValue()).body()).isEqualTo(big);
        var seen = bash("stat -c '%s %u' in/big.bin", "up");
        assertThat(seen.get("stdout").stringValue()).isEqualTo(big.length + " 1000\n");
    }

    @Test
    void what_does_not_fit_is_refused_and_leaves_nothing() throws Exception {
        var link = rest("POST", "/v1/files/upload", file("thread", "small", "big"), 200);

        var refused = send("PUT", URI.create(link.get("url").stringValue()), new byte[70 << 20]);

        assertThat(refused.statusCode()).isEqualTo(413);
        var list = Json.object().put("source", "thread").put("id", "small");
        assertThat(rest("POST", "/v1/files/list", list, 200).get("files")).isEmpty();
    }

    @Test
    void files_are_read_while_a_program_runs_in_the_thread() throws Exception {
        var url = url(bash("echo before > a", "busy"), "a");
        try (var client = HttpClient.newHttpClient()) {
            var running =
                    client.sendAsync(
                            HttpRequest.newBuilder(product.server.address().resolve("/mcp"))
                                    .header("Content-Type", "application/json")
                                    .header("Accept", "application/json, text/event-stream")
                                    .POST(BodyPublishers.ofByteArray(call("echo now > b; sleep 5")))
                                    .build(),
                            BodyHandlers.discarding());
            await().until(() ->
                    rest("GET", "/v1/threads/busy", Json.object(), 200).get("busy").booleanValue());
            assertThat(text(get(url))).isEqualTo("before\n");
            rest("DELETE", "/v1/threads/busy", Json.object(), 409);
            assertThat(running.get().statusCode()).isEqualTo(200);
        }
        rest("DELETE", "/v1/threads/busy", Json.object(), 204);
        assertThat(get(url).statusCode()).isEqualTo(404);
        rest("GET", "/v1/threads/busy", Json.object(), 404);
    }

    private static byte[] call(String code) {
        var call = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        call.putObject("params")
                .put("name", "sandbox_execute")
                .set("arguments", bashArguments(code, "busy"));
        return Json.bytes(call);
    }

    @Test
    void threads_are_listed_with_how_full_they_are() throws Exception {
        bash("head -c 1000000 /dev/zero > a", "listed-1");
        bash("true", "listed-2");

        var first = rest("GET", "/v1/threads?limit=1", Json.object(), 200);
        assertThat(first.get("threads")).hasSize(1);
        assertThat(first.get("next_cursor").stringValue())
                .isEqualTo(first.get("threads").get(0).get("id").stringValue());
        var thread = rest("GET", "/v1/threads/listed-1", Json.object(), 200);
        assertThat(thread.get("bytes_used").longValue()).isBetween(1_000_000L, 2_000_000L);
        assertThat(thread.get("bytes_max").longValue()).isBetween(50L << 20, 64L << 20);
        assertThat(thread.get("files_used").longValue()).isEqualTo(1);
        assertThat(thread.get("files_max").longValue()).isGreaterThanOrEqualTo(1000);
    }

    @Test
    void a_thread_is_handed_out_as_an_archive() throws Exception {
        bash("mkdir d; echo x > d/f; ln -s /etc/passwd link; mkfifo pipe", "packed");

        var zip = get(product.server.address().resolve("/v1/threads/packed/archive").toString());
        assertThat(zip.headers().firstValue("Content-Type")).hasValue("application/zip");
        assertThat(names(zip.body())).containsExactlyInAnyOrder("d/", "d/f");
        var tar =
                get(
                        product.server
                                .address()
                                .resolve("/v1/threads/packed/archive?format=tar.gz")
                                .toString());
        assertThat(tar.headers().firstValue("Content-Type")).hasValue("application/gzip");
        var zst =
                get(
                        product.server
                                .address()
                                .resolve("/v1/threads/packed/archive?format=tar.zst")
                                .toString());
        assertThat(zst.headers().firstValue("Content-Type")).hasValue("application/zstd");
        assertThat(zst.headers().firstValue("Content-Disposition").orElseThrow())
                .contains("packed.tar.zst");
        try (var unpacked = new ZstdInputStream(new ByteArrayInputStream(zst.body()))) {
            assertThat(new String(unpacked.readAllBytes(), UTF_8))
                    .contains("d/f", "ustar")
                    .doesNotContain("pipe", "link");
        }
        var refused = rest("GET", "/v1/threads/packed/archive?format=rar", Json.object(), 400);
        assertThat(refused.get("message").stringValue())
                .isEqualTo("format must be zip, tar.zst or tar.gz.");
        rest("GET", "/v1/threads/none/archive", Json.object(), 404);
    }

    private static List<String> names(byte[] bytes) throws IOException {
        var names = new ArrayList<String>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    @Test
    void two_threads_share_a_volume_as_far_as_they_may() throws Exception {
        rest("POST", "/v1/volumes", Json.object().put("name", "shared"), 201);
        rest("POST", "/v1/volumes", Json.object().put("name", "shared"), 409);
        var write = bashArguments("echo data > /volumes/shared/f; ls /volumes", "v1");
        write.putArray("volumes").addObject().put("name", "shared").put("access", "write");
        var read = bashArguments("cat /volumes/shared/f; echo no > /volumes/shared/f", "v2");
        read.putArray("volumes").addObject().put("name", "shared");

        assertThat(tool("sandbox_execute", write).get("stdout").stringValue())
                .isEqualTo("shared\n");
        var seen = tool("sandbox_execute", read);
        assertThat(seen.get("stdout").stringValue()).isEqualTo("data\n");
        assertThat(seen.get("stderr").stringValue()).contains("Read-only file system");

        var fetch = rest("POST", "/v1/files/download", file("volume", "shared", "f"), 200);
        assertThat(text(get(fetch.get("url").stringValue()))).isEqualTo("data\n");
        var volume = rest("GET", "/v1/volumes/shared", Json.object(), 200);
        assertThat(volume.get("files_used").longValue()).isEqualTo(1);
        assertThat(rest("GET", "/v1/volumes", Json.object(), 200).get("volumes")).hasSize(1);
        rest("DELETE", "/v1/volumes/shared", Json.object(), 204);
        assertThat(get(fetch.get("url").stringValue()).statusCode()).isEqualTo(404);
        rest("GET", "/v1/volumes/shared", Json.object(), 404);
    }

    @Test
    void a_run_without_volumes_finds_none() throws Exception {
        assertThat(
                        bash("ls -A /volumes; touch /volumes/x || true", "v3")
                                .get("stdout")
                                .stringValue())
                .isEmpty();
    }
}
