package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What decides something is there once, or the request is refused: two programs on its way could
/// judge by two values.
class RepeatedTest {
    @SuppressWarnings("unused") // By name, below.
    private static final List<String> NAMES = SingleHeaders.NAMES;

    private static Site site;

    @BeforeAll
    static void start() throws Exception {
        site =
                new Site(
                        HttpSettings.loopback(0),
                        Routes.builder()
                                .door(
                                        "/value",
                                        e ->
                                                Site.reply(
                                                        e,
                                                        e.query("a")
                                                                .orElse("none")
                                                                .getBytes(UTF_8)))
                                .door(
                                        "/prefer",
                                        e ->
                                                Site.reply(
                                                        e,
                                                        e.headers("Prefer")
                                                                .toString()
                                                                .getBytes(UTF_8))));
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    private static Reply get(String target, String headers) throws Exception {
        return site.raw(
                "GET "
                        + target
                        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + headers
                        + "\r\n");
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void a_header_that_decides_something_is_sent_once(String name) throws Exception {
        var value = name.equals("Content-Length") ? "0" : "localhost";
        var line = name + ": " + value + "\r\n";
        var reply =
                site.raw(
                        "GET /echo HTTP/1.1\r\nConnection: close\r\n"
                                + (name.equals("Host") ? "" : "Host: localhost\r\n")
                                + line
                                + line
                                + "\r\n");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("\"error\":\"validation_error\"");
    }

    @Test
    void the_refusal_names_the_header_and_not_its_value() throws Exception {
        var reply = get("/echo", "Authorization: Bearer one\r\nauthorization: Bearer two\r\n");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body())
                .contains("The header Authorization was sent more than once; send it once.")
                .doesNotContain("Bearer");
    }

    @Test
    void a_header_whose_values_are_a_list_may_come_in_pieces() throws Exception {
        var reply = get("/prefer", "Prefer: wait=1\r\nPrefer: respond-async\r\n");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("[wait=1, respond-async]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&a=2", "a=1&a=1", "a=1&%61=2", "a&a", "b=1&a=1&b=2", "a=&a="})
    void a_parameter_of_the_address_is_sent_once(String query) throws Exception {
        var reply = get("/value?" + query, "");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body()).contains("validation_error").contains("more than once");
    }

    @Test
    void different_parameters_are_fine() throws Exception {
        assertThat(get("/value?a=1&b=1&A=2", "").body()).isEqualTo("1");
    }

    @Test
    void an_escaped_slash_stands_in_no_path_that_is_decoded() throws Exception {
        for (var target : new String[] {"/path/a%2Fb", "/path%2fa", "/%2Fecho", "/value%2F"}) {
            var reply = get(target, "");
            assertThat(reply.status()).as(target).isEqualTo(400);
            assertThat(reply.body()).contains("validation_error");
        }
    }
}
