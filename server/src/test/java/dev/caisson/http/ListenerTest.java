package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerTest {
    private Site site;

    @BeforeEach
    void start() throws Exception {
        var routes =
                Routes.builder()
                        .exact(
                                "/query",
                                e -> Site.reply(e, e.query("a").orElse("none").getBytes(UTF_8)))
                        .exact("/client", e -> Site.reply(e, e.clientAddress().getBytes(UTF_8)))
                        .exact("/trace", e -> Site.reply(e, e.trace().value().getBytes(UTF_8)))
                        .exact(
                                "/headers",
                                e -> Site.reply(e, e.headers("x-a").toString().getBytes(UTF_8)))
                        .exact("/put-only", ListenerTest::putOnly);
        site = new Site(HttpSettings.loopback(0), routes);
    }

    private static void putOnly(Exchange exchange) {
        if (exchange.method().equals("PUT")) {
            Site.reply(exchange, exchange.body());
        } else {
            exchange.reply(405, Map.of("Allow", "PUT"), new byte[0]);
        }
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @Test
    void a_body_goes_in_and_an_answer_comes_out_on_one_kept_connection() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            for (var word : List.of("first", "second", "")) {
                var request =
                        HttpRequest.newBuilder(site.listener.address().resolve("/echo"))
                                .POST(HttpRequest.BodyPublishers.ofString(word))
                                .build();
                assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo(word);
            }
        }
    }

    @Test
    void a_chunked_body_is_read_whole() throws Exception {
        var reply =
                site.send(
                        "POST /echo",
                        "Transfer-Encoding: chunked\r\n",
                        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
        assertThat(reply.body()).isEqualTo("abcde");
    }

    @Test
    void requests_sent_together_are_answered_in_order() throws Exception {
        var one = Site.head("POST /echo", "Content-Length: 1");
        try (var socket = site.connect()) {
            Site.write(socket, one + "1" + one + "2" + one + "3");
            assertThat(Site.readUntil(socket, "\r\n\r\n3")).contains("\r\n\r\n1", "\r\n\r\n2");
        }
    }

    @Test
    void a_client_that_waits_for_permission_gets_it_when_the_body_is_read() throws Exception {
        try (var socket = site.connect()) {
            Site.write(
                    socket, Site.head("POST /echo", "Expect: 100-continue", "Content-Length: 5"));
            assertThat(Site.readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 100");
            Site.write(socket, "hello");
            assertThat(Site.readUntil(socket, "hello")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void a_client_that_waits_for_permission_is_answered_without_it() throws Exception {
        var reply = site.send("POST /unread", "Expect: 100-continue\r\nContent-Length: 5\r\n", "");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("unread");
    }

    @Test
    void an_unknown_path_is_not_found_in_json() throws Exception {
        var reply = site.get("/nowhere");
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.head())
                .contains("Content-Type: application/json")
                .doesNotContain("Server:");
        assertThat(reply.body())
                .startsWith(
                        "{\"error\":\"not_found\",\"message\":\"There is nothing at this path.\"");
    }

    @Test
    void the_method_is_the_handlers_business() throws Exception {
        assertThat(site.get("/put-only").status()).isEqualTo(405);
        assertThat(site.get("/put-only").head()).contains("Allow: PUT");
        assertThat(site.send("PUT /put-only", "Content-Length: 1\r\n", "x").body()).isEqualTo("x");
    }

    @Test
    void head_gets_the_length_and_no_body() throws Exception {
        var reply = site.send("HEAD /unread", "", "");
        assertThat(reply.head()).contains("Content-Length: 6");
        assertThat(reply.body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/path/a%20b, /path/a b",
        "/path/x/../y, /path/y",
        "/path/./y, /path/y",
        "/path/100%25, /path/100%",
        "/path/%252e%252e/x, /path/%2e%2e/x",
        "/path/%C3%A9, /path/é",
    })
    void a_path_is_decoded_once_and_has_no_dots(String sent, String seen) throws Exception {
        assertThat(site.get(sent).body()).isEqualTo(seen);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/path/%2e%2e/echo",
                "/path/..%2fecho",
                "/path/a%2fb",
                "/path/a%5cb",
                "/path/%00",
                "/path/%0a",
                "/path/%zz",
                "/path/%c3%28",
                "/path/a;b/c",
                "/../../etc/passwd",
            })
    void a_path_that_can_be_read_in_two_ways_is_refused(String path) throws Exception {
        var reply = site.get(path);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).startsWith("{\"error\":\"validation_error\"");
    }

    @Test
    void a_path_cannot_climb_out_of_its_prefix() throws Exception {
        assertThat(site.get("/path/../nowhere").status()).isEqualTo(404);
    }

    @Test
    void the_query_is_decoded_and_a_broken_one_refused() throws Exception {
        assertThat(site.get("/query?b=1&a=x%20y&a=z").body()).isEqualTo("x y");
        assertThat(site.get("/query").body()).isEqualTo("none");
        assertThat(site.get("/query?a=%zz").status()).isEqualTo(400);
    }

    @Test
    void header_names_have_no_case_and_may_repeat() throws Exception {
        assertThat(site.send("GET /headers", "X-A: 1\r\nx-a: 2\r\n", "").body())
                .isEqualTo("[1, 2]");
    }

    @Test
    void a_valid_traceparent_is_honoured_and_another_replaced() throws Exception {
        var id = "4bf92f3577b34da6a3ce929d0e0e4736";
        var valid = "traceparent: 00-" + id + "-00f067aa0ba902b7-01\r\n";
        assertThat(site.send("GET /trace", valid, "").body()).isEqualTo(id);
        assertThat(site.send("GET /trace", "traceparent: 00-zz\r\n", "").body()).hasSize(32);
    }

    @Test
    void forwarded_addresses_are_not_believed_without_a_trusted_proxy() throws Exception {
        assertThat(site.send("GET /client", "X-Forwarded-For: 9.9.9.9\r\n", "").body())
                .isEqualTo("127.0.0.1");
    }

    @Test
    void a_path_has_one_handler() {
        var routes = Routes.builder().exact("/a", e -> {});
        assertThatThrownBy(() -> routes.exact("/a", e -> {})).hasMessageContaining("/a");
    }
}
