package dev.caisson.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import dev.caisson.egress.PrivateAddresses;
import dev.caisson.share.ShareLimit;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PrivateAddressesTest {
    @AutoClose private final Resolver resolver = new Resolver(ShareLimit.DEFAULT);

    @Test
    void addresses_that_are_not_public_are_inside() {
        for (var address :
                List.of(
                        "0.0.0.0",
                        "0.1.2.3",
                        "10.0.0.1",
                        "100.64.0.1",
                        "100.127.255.255",
                        "127.0.0.1",
                        "127.9.9.9",
                        "169.254.169.254",
                        "172.16.0.1",
                        "172.31.255.255",
                        "192.0.0.8",
                        "192.0.2.1",
                        "192.168.1.1",
                        "198.18.0.1",
                        "198.51.100.1",
                        "203.0.113.9",
                        "224.0.0.1",
                        "240.0.0.1",
                        "255.255.255.255",
                        "::",
                        "::1",
                        "::ffff:10.0.0.1",
                        "::7f00:1",
                        "64:ff9b::a00:1",
                        "100::1",
                        "2001::1",
                        "2001:db8::1",
                        "2002:7f00:1::",
                        "2002:c0a8:101::5",
                        "64:ff9b::7f00:1",
                        "64:ff9b:1::808:808",
                        "::127.0.0.1",
                        "2606:4700::5efe:7f00:1",
                        "2606:4700::200:5efe:a00:1",
                        "fc00::1",
                        "fd00:ec2::254",
                        "fe80::1",
                        "fec0::1",
                        "ff02::1")) {
            assertThat(new PrivateAddresses(Set.of()).is(InetAddress.ofLiteral(address)))
                    .as(address)
                    .isTrue();
        }
    }

    @Test
    void public_addresses_are_not() {
        for (var address :
                List.of(
                        "1.1.1.1",
                        "100.63.0.1",
                        "100.128.0.1",
                        "172.15.0.1",
                        "172.32.0.1",
                        "192.0.1.1",
                        "198.20.0.1",
                        "223.255.255.255",
                        "2606:4700::1111",
                        "2a00:1450::1",
                        "64:ff9b::808:808",
                        "2606:4700::5efe:808:808",
                        "2002:808:808::")) {
            assertThat(new PrivateAddresses(Set.of()).is(InetAddress.ofLiteral(address)))
                    .as(address)
                    .isFalse();
        }
    }

    /// Services that listen on all of a machine's addresses often trust it alone.
    @Test
    void the_machines_own_addresses_are_inside_however_they_are_hidden() throws Exception {
        var own =
                new PrivateAddresses(
                        Set.of(
                                InetAddress.ofLiteral("8.8.8.8"),
                                InetAddress.ofLiteral("2606:4700::1111")));
        for (var address :
                List.of(
                        "8.8.8.8",
                        "::ffff:8.8.8.8",
                        "64:ff9b::808:808",
                        "2002:808:808::1",
                        "2606:4700::1111")) {
            assertThat(own.is(InetAddress.ofLiteral(address))).as(address).isTrue();
        }
        for (var address : List.of("8.8.8.9", "64:ff9b::808:809", "2606:4700::1112")) {
            assertThat(own.is(InetAddress.ofLiteral(address))).as(address).isFalse();
        }
        assertThat(PrivateAddresses.now().own())
                .contains(InetAddress.ofLiteral("127.0.0.1"))
                .containsAll(
                        NetworkInterface.networkInterfaces()
                                .flatMap(NetworkInterface::inetAddresses)
                                .toList());
    }

    @Test
    void however_an_address_is_written_it_is_judged_by_where_it_leads() throws Exception {
        for (var url :
                List.of(
                        "http://127.0.0.1/",
                        "http://127.1/",
                        "http://2130706433/",
                        "http://localhost:8080/x",
                        "http://[::1]/",
                        "http://[::ffff:169.254.169.254]/latest",
                        "https://169.254.169.254/")) {
            assertThatThrownBy(() -> WebhookUrl.of(url).address(resolver, "anna", Set.of()))
                    .as(url)
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("webhook_url");
        }
        assertThat(
                        WebhookUrl.of("http://LOCALHOST/")
                                .address(resolver, "anna", Set.of("localhost"))
                                .isLoopbackAddress())
                .isTrue();
    }

    /// A fake that knows every name: nothing is asked and nothing connected.
    @Test
    void an_address_that_programs_read_differently_is_refused_by_its_name() {
        for (var host :
                List.of(
                        "0177.0.0.1",
                        "127.0.0.01",
                        "0x7f.1",
                        "0X7F.0.0.1",
                        "0x7f000001",
                        "0x",
                        "127.1",
                        "127.0.1",
                        "2130706433",
                        "017700000001",
                        "127.0.0.1.",
                        "127.0.0.1..",
                        "1.1.1.1.",
                        "1.2.3.4.5",
                        "256.1.1.1",
                        "1.1.1.256",
                        "8.8.8.08",
                        "hooks.example.1",
                        "hooks.0x1",
                        "[::ffff:0177.0.0.1]",
                        "[64:ff9b::127.0.0.01]")) {
            for (var url : List.of("http://" + host + "/", "https://" + host + ":8443/x?y")) {
                assertThatThrownBy(() -> WebhookUrl.of(url))
                        .as(url)
                        .isInstanceOf(Refusal.class)
                        .hasMessageStartingWith("webhook_url")
                        .satisfiesAnyOf(
                                refused -> assertThat(refused).hasMessageContaining("four decimal"),
                                refused ->
                                        assertThat(refused).hasMessageContaining("not an address"));
            }
        }
        for (var host :
                List.of("hooks.example.", "localhost.", "[fe80::1%lo]", "[2606:4700::1%1]")) {
            assertThatThrownBy(() -> WebhookUrl.of("https://" + host + "/"))
                    .as(host)
                    .isInstanceOf(Refusal.class)
                    .hasMessageStartingWith("webhook_url");
        }
        for (var host : List.of("１２７.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "①.example")) {
            assertThatThrownBy(() -> WebhookUrl.of("https://" + host + "/"))
                    .as(host)
                    .isInstanceOf(Refusal.class)
                    .hasMessageStartingWith("webhook_url");
        }
    }

    @Test
    void a_literal_address_is_judged_without_asking_anybody() throws Exception {
        var asked = new AtomicInteger();
        Resolver.Lookup lookup =
                _ -> {
                    asked.incrementAndGet();
                    return new InetAddress[] {InetAddress.ofLiteral("1.1.1.1")};
                };
        try (var counting = new Resolver(ShareLimit.DEFAULT, lookup, Duration.ofSeconds(60))) {
            for (var host :
                    List.of(
                            "127.0.0.1",
                            "10.0.0.1",
                            "[::1]",
                            "[::ffff:127.0.0.1]",
                            "[::ffff:7f00:1]",
                            "[64:ff9b::10.0.0.1]",
                            "[2002:a00:1::1]",
                            "[fd00::1]")) {
                assertThatThrownBy(() ->
                                WebhookUrl.of("http://" + host + "/")
                                        .address(counting, "anna", Set.of()))
                        .as(host)
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("private address");
            }
            assertThat(WebhookUrl.of("http://1.2.3.4/").address(counting, "anna", Set.of()))
                    .isEqualTo(InetAddress.ofLiteral("1.2.3.4"));
            assertThat(asked).hasValue(0);
            for (var name :
                    List.of("hooks.example", "1password.example", "x1", "0x7f.example", "1e1")) {
                WebhookUrl.of("http://" + name + "/").address(counting, "anna", Set.of());
            }
            assertThat(asked).hasValue(5);
        }
    }

    @Test
    void what_is_no_address_of_a_receiver_is_refused() {
        for (var url :
                List.of(
                        "",
                        "x",
                        "ftp://a.example/",
                        "file:///etc/passwd",
                        "http:///x",
                        "http://user@a.example/",
                        "http://a.example/#x",
                        "http://a.example:0/",
                        "http://a.example:65536/",
                        "http://a b/",
                        "http://a.example/" + "x".repeat(WebhookUrl.LENGTH_MAX))) {
            assertThatThrownBy(() -> WebhookUrl.of(url))
                    .as(url)
                    .isInstanceOf(Refusal.class)
                    .hasMessageStartingWith("webhook_url");
        }
        var longest = "http://a.example/" + "x".repeat(WebhookUrl.LENGTH_MAX - 17);
        assertThat(WebhookUrl.of(longest).path()).hasSize(WebhookUrl.LENGTH_MAX - 16);
    }

    @Test
    void what_goes_on_the_wire_is_what_was_given() {
        var target = WebhookUrl.of("https://Hooks.example:8443/a%20b?c=d&e");

        assertThat(target.tls()).isTrue();
        assertThat(target.port()).isEqualTo(8443);
        assertThat(target.authority()).isEqualTo("hooks.example:8443");
        assertThat(target.path()).isEqualTo("/a%20b?c=d&e");
        assertThat(WebhookUrl.of("http://hooks.example").path()).isEqualTo("/");
        assertThat(WebhookUrl.of("https://hooks.example?x").path()).isEqualTo("/?x");
        assertThat(WebhookUrl.of("https://hooks.example").port()).isEqualTo(443);
        assertThat(WebhookUrl.of("http://hooks.example").port()).isEqualTo(80);
    }
}
