package dev.caisson.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedTest {
    private static Site site;

    @BeforeAll
    static void start() throws Exception {
        site = new Site(HttpSettings.loopback(0));
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "\u0016\u0003\u0001 a TLS hello\r\n\r\n",
                "GET /echo HTTP/9.9\r\nHost: localhost\r\n\r\n",
                "GET /echo HTTP/1.1\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nExpect: cake\r\n\r\n",
                "GET http://localhost:99999999/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            })
    void what_is_not_http_is_answered_in_our_own_words(String bytes) throws Exception {
        var reply = site.raw(bytes);
        assertThat(reply.status()).isBetween(400, 599).isNotEqualTo(500);
        assertThat(reply.body()).startsWith("{\"error\":\"").endsWith("}");
        assertThat(reply.head() + reply.body())
                .doesNotContainIgnoringCase("jetty")
                .doesNotContainIgnoringCase("html")
                .doesNotContain("Exception")
                .doesNotContain("Server:");
        assertThat(site.get("/healthz").status()).isEqualTo(200);
    }
}
