package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Every id a thread may have leads to it over REST and by links, whatever web servers make of it.
class ThreadKeysTest extends ProductTestCase {
    private static final List<String> IDS =
            List.of(
                    "plain",
                    "a/b",
                    "/",
                    "..",
                    ".",
                    "../../etc",
                    "a%2Fb",
                    "100%",
                    "x;y=1",
                    "back\\slash",
                    "q?a=b#c",
                    "two\nlines",
                    " ",
                    "\u00fc\u4e2d\ud83d\ude00",
                    "a".repeat(1024));

    private JsonNode post(String path, JsonNode body) throws Exception {
        var answer = product.send(TestProduct.post(product.request(path), body));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    private int status(String path) throws Exception {
        return product.send(product.request(path)).statusCode();
    }

    private JsonNode threads() throws Exception {
        return product.get("/v1/threads?limit=200").path("threads");
    }

    @Test
    void every_thread_is_listed_with_a_key_that_leads_to_it() throws Exception {
        for (var id : IDS) {
            store(id);
        }
        var listed = threads();
        assertThat(listed.valueStream().map(thread -> thread.path("id").stringValue()))
                .containsExactlyInAnyOrderElementsOf(IDS);

        for (var thread : listed) {
            var key = thread.path("key").stringValue();
            assertThat(key).matches("[0-9a-f]{64}");
            assertThat(product.get("/v1/threads/" + key).path("id")).isEqualTo(thread.path("id"));
            assertThat(status("/v1/threads/" + key + "/archive?format=tar.zst")).isEqualTo(200);
            var deleted = product.send(product.request("/v1/threads/" + key).DELETE());
            assertThat(deleted.statusCode()).isEqualTo(204);
            assertThat(status("/v1/threads/" + key)).isEqualTo(404);
        }
        assertThat(threads()).isEmpty();
    }

    /// By a signed link, and reads it back by another.
    private void store(String id) throws Exception {
        var file = Json.object().put("source", "thread").put("id", id).put("path", "d/f");
        var put = post("/v1/files/upload", file).path("url").stringValue();
        var stored =
                product.send(
                        HttpRequest.newBuilder(URI.create(put)).PUT(BodyPublishers.ofString(id)));
        assertThat(stored.statusCode()).as(id).isEqualTo(200);
        var get = post("/v1/files/download", file).path("url").stringValue();
        assertThat(product.send(HttpRequest.newBuilder(URI.create(get))).body()).isEqualTo(id);
    }

    @Test
    void an_id_with_a_nul_is_refused_by_name() throws Exception {
        var file = Json.object().put("source", "thread").put("id", "zero\u0000byte");
        var answer =
                product.send(
                        TestProduct.post(
                                product.request("/v1/files/upload"), file.put("path", "d/f")));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("thread id", "NUL", "behind 4 characters");
    }

    @Test
    void an_id_comes_before_a_key_and_the_keys_of_others_lead_nowhere() throws Exception {
        store("first");
        var key = product.get("/v1/threads/first").path("key").stringValue();
        store(key);
        assertThat(product.get("/v1/threads/" + key).path("id").stringValue()).isEqualTo(key);
        product.send(product.request("/v1/threads/" + key).DELETE());
        assertThat(product.get("/v1/threads/" + key).path("id").stringValue()).isEqualTo("first");

        var made =
                product.send(
                        TestProduct.post(
                                product.request("/v1/keys"), Json.object().put("name", "other")));
        var other = Json.parse(made.body()).path("secret").stringValue();
        var answer =
                product.send(
                        product.open("/v1/threads/" + key)
                                .header("Authorization", "Bearer " + other));
        assertThat(answer.statusCode()).isEqualTo(404);
        product.send(product.request("/v1/threads/first").DELETE());
    }

    @Test
    void an_ordinary_id_stands_in_a_path_as_it_is() throws Exception {
        for (var id : List.of("plain-1", "with space", "100%", "\u00fc")) {
            store(id);
            var encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
            assertThat(product.get("/v1/threads/" + encoded).path("id").stringValue())
                    .isEqualTo(id);
            product.send(product.request("/v1/threads/" + encoded).DELETE());
        }
    }
}
