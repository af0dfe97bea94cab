package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Programs hand out addresses of files they made, and clients without a key fetch them.
class RunFilesTest extends ProductTestCase {
    private static final String TELL = "printf %s \"${FILE_BASE_URL-none}\"";

    private JsonNode run(ObjectNode arguments) throws Exception {
        return Json.parse(product.send(product.execute(arguments)).body());
    }

    private String told(ObjectNode arguments) throws Exception {
        return run(arguments).path("stdout").stringValue();
    }

    private static ObjectNode in(String thread, String code) {
        return TestProduct.bash(code).put("thread_id", thread);
    }

    private HttpResponse<String> fetch(String method, String url) throws Exception {
        return product.send(
                HttpRequest.newBuilder(URI.create(url)).method(method, BodyPublishers.noBody()));
    }

    @Test
    void what_a_program_prints_as_an_address_leads_to_its_file() throws Exception {
        var code =
                """
                import os, urllib.parse
                os.makedirs('out', exist_ok=True)
                name = "out/my plot (1) 100%41.svg"
                open(name, 'w').write('<svg/>')
                print(os.environ['FILE_BASE_URL'] + '/' + urllib.parse.quote(name))
                """;
        var url =
                told(Json.object()
                                .put("language", "python")
                                .put("code", code)
                                .put("thread_id", "p"))
                        .strip();

        var got = fetch("GET", url);
        assertThat(got.statusCode()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("<svg/>");
        assertThat(got.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("sandbox");
        assertThat(fetch("HEAD", url).statusCode()).isEqualTo(200);
        for (var method : List.of("PUT", "POST", "DELETE")) {
            assertThat(fetch(method, url).statusCode()).as(method).isEqualTo(405);
        }
        assertThat(fetch("GET", url + "?a=b").statusCode()).isEqualTo(400);
        assertThat(fetch("GET", url.replace("my%20plot", "other")).statusCode()).isEqualTo(404);
        assertThat(fetch("GET", url.substring(0, url.indexOf("/out"))).statusCode()).isEqualTo(403);
        assertThat(fetch("GET", url.substring(0, url.indexOf("my%20"))).statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_link_a_program_left_is_not_followed() throws Exception {
        var base = told(in("l", "ln -s /etc/passwd link; " + TELL));
        assertThat(fetch("GET", base + "/link").statusCode()).isEqualTo(404);
        assertThat(fetch("GET", base + "/%2e%2e/x").statusCode()).isNotEqualTo(200);
    }

    @Test
    void every_thread_has_its_own_and_a_run_without_one_has_none() throws Exception {
        var one = told(in("a", "echo a > f; " + TELL));
        var other = told(in("b", "echo b > f; " + TELL));
        assertThat(fetch("GET", one + "/f").body()).isEqualTo("a\n");
        assertThat(fetch("GET", other + "/f").body()).isEqualTo("b\n");
        assertThat(told(TestProduct.bash(TELL))).isEqualTo("none");
    }

    @Test
    void a_session_has_a_new_one_in_each_call_and_the_caller_may_set_another() throws Exception {
        var first = told(in("s", "echo s > f; " + TELL).put("session", true));
        var second = told(in("s", TELL).put("session", true));
        assertThat(fetch("GET", first + "/f").body()).isEqualTo("s\n");
        assertThat(fetch("GET", second + "/f").body()).isEqualTo("s\n");
        var own = in("s", TELL);
        own.putObject("env_vars").put("FILE_BASE_URL", "mine");
        assertThat(told(own)).isEqualTo("mine");
    }

    @Test
    void a_key_that_may_not_read_files_has_none() throws Exception {
        var wanted = Json.object().put("name", "runner");
        wanted.putArray("scopes").add("run");
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        var secret = Json.parse(made.body()).path("secret").stringValue();
        var request =
                TestProduct.post(product.open("/v1/sandbox/execute"), in("r", TELL))
                        .header("Authorization", "Bearer " + secret);
        assertThat(Json.parse(product.send(request).body()).path("stdout").stringValue())
                .isEqualTo("none");
    }
}
