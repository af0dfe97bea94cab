package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Whoever says what must be there is refused over every door when it is not.
class ExpectedOverHttpTest extends ProductTestCase {
    private static final String WRONG = "sha256:" + "0".repeat(64);

    private static ObjectNode file(String path) {
        return Json.object().put("source", "thread").put("id", "t").put("path", path);
    }

    private HttpResponse<String> post(String path, JsonNode body) throws Exception {
        return product.send(TestProduct.post(product.request(path), body));
    }

    private HttpResponse<String> put(String path, String content, String... headers)
            throws Exception {
        var link = Json.parse(post("/v1/files/upload", file(path)).body()).path("url");
        var request =
                HttpRequest.newBuilder(URI.create(link.stringValue()))
                        .PUT(BodyPublishers.ofString(content));
        return product.send(headers.length == 0 ? request : request.headers(headers));
    }

    private String get(String path) throws Exception {
        var link = Json.parse(post("/v1/files/download", file(path)).body()).path("url");
        return product.send(HttpRequest.newBuilder(URI.create(link.stringValue()))).body();
    }

    @Test
    void a_signed_upload_is_made_as_if_match_says_or_not_at_all() throws Exception {
        var first = put("a", "one", "If-None-Match", "*");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        var tag = first.headers().firstValue("ETag").orElseThrow();
        var hash = Json.parse(first.body()).path("hash").stringValue();

        for (var refused :
                new String[][] {
                    {"If-None-Match", "*"},
                    {"If-Match", "\"other\""},
                    {"If-Match", '"' + WRONG + '"'},
                    {"If-Match", "W/" + tag}
                }) {
            var answer = put("a", "two", refused);
            assertThat(answer.statusCode()).as(refused[1]).isEqualTo(412);
            assertThat(answer.body()).contains("\"error\":\"precondition_failed\"");
        }
        assertThat(get("a")).isEqualTo("one");
        assertThat(put("a", "two", "If-Match", "\"other\", " + tag).statusCode()).isEqualTo(200);
        assertThat(put("a", "three", "If-Match", tag).statusCode()).isEqualTo(412);
        assertThat(put("a", "one", "If-Match", "*").statusCode()).isEqualTo(200);
        assertThat(put("a", "four", "If-Match", '"' + hash + '"').statusCode()).isEqualTo(200);
        assertThat(put("b", "four", "If-Match", "*").statusCode()).isEqualTo(412);
        assertThat(get("a")).isEqualTo("four");
    }

    @Test
    void a_deletion_over_rest_is_a_conflict_that_names_the_hash_there_is() throws Exception {
        var hash = Json.parse(put("c", "one").body()).path("hash").stringValue();

        var refused = post("/v1/files/delete", file("c").put("expected_hash", WRONG));
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("\"error\":\"conflict\"", "has changed", hash);
        assertThat(get("c")).isEqualTo("one");
        assertThat(post("/v1/files/delete", file("c").put("expected_hash", "one")).statusCode())
                .isEqualTo(400);
        assertThat(post("/v1/files/delete", file("c").put("expected_hash", hash)).statusCode())
                .isEqualTo(200);
    }
}
