package dev.caisson.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.http.HttpSettings;
import dev.caisson.http.Listener;
import dev.caisson.http.Routes;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The console's files come as browsers like them, with rules that keep other scripts out.
@Tag("browser")
class ConsoleTest {
    private static final Map<String, String> FILES =
            Map.of(
                    "docs.html",
                    "<!doctype html><title>docs</title>",
                    "files.txt",
                    "index.html\nindex.html.br\ndocs.html\nassets/a-1.js\nassets/a-1.js.br\nassets/a-1.js.gz\nassets/b-2.css\nicon.svg\n",
                    "index.html",
                    "<!doctype html>",
                    "index.html.br",
                    "page in brotli",
                    "assets/a-1.js",
                    "script",
                    "assets/a-1.js.br",
                    "script in brotli",
                    "assets/a-1.js.gz",
                    "script in gzip",
                    "assets/b-2.css",
                    "style",
                    "icon.svg",
                    "<svg/>",
                    "assets/unlisted.js",
                    "secret");

    private final HttpClient client = HttpClient.newHttpClient();
    private Listener listener;

    @BeforeEach
    void start() throws Exception {
        listener = listening(site(FILES));
    }

    @AfterEach
    void stop() {
        listener.close();
        client.close();
    }

    @Test
    void the_page_is_asked_for_anew_and_its_parts_are_kept() throws Exception {
        var page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).isEqualTo("<!doctype html>");
        assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");

        var script = get("/assets/a-1.js");
        assertThat(header(script, "Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(header(script, "Cache-Control")).contains("immutable").contains("max-age=");
    }

    @Test
    void the_documents_of_rest_are_a_page_of_their_own() throws Exception {
        var page = get("/v1/docs");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("docs");
        assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gzip, deflate, br | br   | script in brotli
                    gzip              | gzip | script in gzip
                    br;q=0, gzip      | gzip | script in gzip
                    identity          |      | script
                    """)
    void the_best_packed_form_is_sent(String accepted, String coding, String body)
            throws Exception {
        var answer = get("/assets/a-1.js", "Accept-Encoding", accepted);
        assertThat(answer.headers().firstValue("Content-Encoding").orElse(null)).isEqualTo(coding);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
    }

    @Test
    void a_file_that_has_not_changed_is_not_sent_again() throws Exception {
        var tag = header(get("/"), "ETag");
        var again = get("/", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(get("/", "If-None-Match", "\"another\"").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/v1/docs", "/assets/a-1.js", "/icon.svg", "/console.json"})
    void no_answer_lets_a_browser_run_anything_else(String path) throws Exception {
        var answer = get(path);
        var policy = header(answer, "Content-Security-Policy");
        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .contains("require-trusted-types-for 'script'", "base-uri 'none'")
                .doesNotContain("unsafe", "http:", "data:", "*");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(answer, "X-Frame-Options")).isEqualTo("DENY");
        assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/unlisted.js",
                "/assets/",
                "/assets/..%2findex.html",
                "/assets/a-1.js.br",
                "/index.html",
                "/files.txt",
            })
    void what_is_not_listed_is_not_there(String path) throws Exception {
        assertThat(get(path).statusCode()).isIn(400, 404);
    }

    @Test
    void the_page_learns_whether_a_key_is_needed() throws Exception {
        var welcome = Json.parse(get("/console.json").body());
        assertThat(welcome.path("auth").asBoolean()).isTrue();
        assertThat(welcome.path("version").asString()).isEqualTo("1.2.3");
    }

    @Test
    void only_reading_is_possible() throws Exception {
        var request = request("/").POST(HttpRequest.BodyPublishers.ofString("x")).build();
        var answer = client.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(header(answer, "Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void without_a_console_the_page_says_why() throws Exception {
        try (var bare = listening(site(Map.of()))) {
            var request = HttpRequest.newBuilder(bare.address().resolve("/")).build();
            var answer = client.send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("npm").contains("Everything else works");
        }
    }

    private static Site site(Map<String, String> files) {
        return Site.of(name ->
                files.containsKey(name)
                        ? new ByteArrayInputStream(files.get(name).getBytes(UTF_8))
                        : null);
    }

    private static Listener listening(Site site) throws Exception {
        var metrics = new Metrics();
        var routes = new Console(site, true, "1.2.3").addTo(Routes.builder()).build();
        var listener = new Listener(HttpSettings.loopback(0), routes, metrics, new Faults(metrics));
        listener.start();
        return listener;
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        var request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(listener.address() + path));
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }
}
