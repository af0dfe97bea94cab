package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.config.Version;
import dev.caisson.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who gets in over REST, and what is said to those who ask for what is not there.
class RestDoorTest extends ProductTestCase {

    RestDoorTest() {
        super("http.public_base_url=https://caisson.example.org/");
    }

    @Test
    void a_key_is_told_who_it_is() throws Exception {
        var answer = product.send(product.request("/v1/whoami"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.body().replaceFirst("\"key_id\":\"[0-9a-f]{16}\",", ""))
                .isEqualTo(
                        "{\"name\":\"admin\",\"scopes\":[\"run\",\"files_read\",\"files_write\","
                                + "\"tools\",\"approve\",\"audit\",\"admin\"],\"toolsets\":[],\"version\":\""
                                + Version.TEXT
                                + "\",\"base_url\":\"https://caisson.example.org\",\"auth\":true}");
    }

    @Test
    void the_runners_are_those_the_tool_lists() throws Exception {
        var runners = product.get("/v1/runners");

        assertThat(runners.path("languages").findValuesAsString("language"))
                .contains("python", "node", "bash");
        assertThat(runners.path("tier").stringValue()).isEqualTo("full");
    }

    @Test
    void what_is_not_there_is_404_and_says_where_to_look() throws Exception {
        for (var path : List.of("/v1/nowhere", "/v1/", "/v1/whoami/", "/v1/whoami/more")) {
            var answer = product.send(product.request(path));

            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).contains("\"error\":\"not_found\"", "/v1/openapi.json");
        }
    }

    @Test
    void a_method_that_a_path_does_not_take_is_405_with_those_it_does() throws Exception {
        for (var method : List.of("POST", "DELETE", "PATCH", "OPTIONS")) {
            var answer =
                    product.send(
                            product.request("/v1/whoami").method(method, BodyPublishers.noBody()));

            assertThat(answer.statusCode()).as(method).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(answer.body()).contains("\"error\":\"method_not_allowed\"");
        }
    }

    @Test
    void a_head_has_no_body() throws Exception {
        var answer = product.send(product.request("/v1/whoami").HEAD());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void the_document_needs_no_key() throws Exception {
        var answer = product.send(product.open("/v1/openapi.json"));

        assertThat(answer.statusCode()).isEqualTo(200);
        var document = Json.parse(answer.body());
        assertThat(document.path("openapi").stringValue()).isEqualTo("3.1.0");
        assertThat(document.path("paths").has("/v1/whoami")).isTrue();
    }

    /// The last one, because afterwards this address has to wait.
    @Test
    void without_a_key_nothing_is_told_and_guessing_ends() throws Exception {
        for (var path : List.of("/v1/whoami", "/v1/nowhere", "/v1/executions/x")) {
            var answer = product.send(product.open(path));

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(answer.body())
                    .startsWith(
                            "{\"error\":\"unauthorized\",\"message\":\"No API key was sent. Send one"
                                    + " as the header `Authorization: Bearer <key>`.\"");
        }
        var fourth =
                product.send(product.open("/v1/whoami").header("Authorization", "Bearer wrong"));
        assertThat(fourth.statusCode()).isEqualTo(429);
        assertThat(fourth.headers().firstValue("Retry-After")).isPresent();
        assertThat(fourth.body()).contains("\"error\":\"rate_limited\"");
        assertThat(product.send(product.request("/v1/whoami")).statusCode()).isEqualTo(200);
    }
}
