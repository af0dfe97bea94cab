package dev.caisson.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.RecordCopy;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
    private static final HostCheck GATEKEEPER =
            new HostCheck(
                    "192.0.2.7",
                    new HttpAccess(
                            Set.of("Files.example.com", "proxy.example.com:8443"),
                            Set.of("https://console.example.com"),
                            List.of()));

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "localhost:8080, true",
        "LOCALHOST:8080, true",
        "127.0.0.1:8080, true",
        "[::1]:8080, true",
        "192.0.2.7:8080, true",
        "files.example.com, true",
        "files.example.com:8080, true",
        "proxy.example.com:8443, true",
        "localhost:8081, false",
        "files.example.com:9, false",
        "proxy.example.com, false",
        "evil.example.com, false",
        "evil.example.com:8080, false",
        "localhost.evil.example.com:8080, false",
        "192.0.2.8:8080, false",
        "localhost:, false",
    })
    void host_table(String host, boolean accepted) {
        var complaint = GATEKEEPER.complaint(Optional.of(host), Optional.empty(), 8080);
        assertThat(complaint.isEmpty()).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost, true",
        "http://localhost:3000, true",
        "https://127.0.0.1:3000, true",
        "http://[::1]:3000, true",
        "https://console.example.com, true",
        "HTTPS://CONSOLE.example.com, true",
        "null, false",
        "https://evil.example.com, false",
        "http://console.example.com, false",
        "https://console.example.com:444, false",
        "http://localhost.evil.example.com, false",
        "http://localhost:3000.evil.example.com, false",
        "file://localhost, false",
        "localhost, false",
    })
    void origin_table(String origin, boolean accepted) {
        var complaint = GATEKEEPER.complaint(Optional.of("localhost"), Optional.of(origin), 8080);
        assertThat(complaint.isEmpty()).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource({
        "files.example.com, https://files.example.com, true",
        "proxy.example.com:8443, https://proxy.example.com:8443, true",
        "192.0.2.7:8080, http://192.0.2.7:8080, true",
        "files.example.com, https://proxy.example.com:8443, false",
        "files.example.com, https://files.example.com.evil.example, false",
        "evil.example.com, https://evil.example.com, false",
    })
    void a_page_of_the_host_asked_for_is_our_own(String host, String origin, boolean accepted) {
        var complaint = GATEKEEPER.complaint(Optional.of(host), Optional.of(origin), 8080);
        assertThat(complaint.isEmpty()).isEqualTo(accepted);
    }

    @Test
    void a_missing_host_is_refused() {
        assertThat(GATEKEEPER.complaint(Optional.empty(), Optional.empty(), 8080)).isPresent();
    }

    @Test
    void a_foreign_host_or_origin_is_answered_403_before_the_handler() throws Exception {
        try (var site = new Site(HttpSettings.loopback(0))) {
            var host = site.raw("GET /unread HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n");
            assertThat(host.status()).isEqualTo(403);
            assertThat(host.body()).startsWith("{\"error\":\"forbidden\"");
            var origin = site.send("GET /unread", "Origin: null\r\n", "");
            assertThat(origin.status()).isEqualTo(403);
            assertThat(site.send("GET /unread", "Origin: http://localhost:1\r\n", "").status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.5 | 9.9.9.9 | 203.0.113.5",
                "10.1.2.3 | 9.9.9.9 | 9.9.9.9",
                "10.1.2.3 | 1.1.1.1, 9.9.9.9, 10.0.0.1 | 9.9.9.9",
                "10.1.2.3 | 9.9.9.9, garbage | 10.1.2.3",
                "10.1.2.3 | '' | 10.1.2.3",
                "fd00::1 | 2001:db8::1 | 2001:db8:0:0:0:0:0:1",
            })
    void only_trusted_proxies_are_believed(String peer, String forwarded, String client) {
        var clients = new ClientAddress(List.of("10.0.0.0/8", "fd00::1"));
        assertThat(clients.of(InetAddress.ofLiteral(peer), List.of(forwarded))).isEqualTo(client);
    }

    @Test
    void settings_that_cannot_work_are_refused() {
        assertThatThrownBy(() -> new HttpAccess(Set.of(), Set.of(), List.of("10.0.0.0/33")))
                .hasMessageContaining("10.0.0.0/33");
        assertThatThrownBy(() -> new HttpAccess(Set.of(), Set.of("example.com"), List.of()))
                .hasMessageContaining("example.com");
        assertThatThrownBy(() -> HttpSettings.loopback(70000)).hasMessageContaining("70000");
        assertThatThrownBy(() -> RecordCopy.with(HttpLimits.DEFAULT, "requests.bodyBytesMax", 0))
                .hasMessageContaining("bodyBytesMax");
    }
}
