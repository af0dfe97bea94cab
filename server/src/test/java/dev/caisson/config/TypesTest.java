package dev.caisson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypesTest {
    @Test
    void sizes_have_decimal_and_binary_units() {
        var size = Types.size("0", "1GiB");

        assertThat(size.read("64")).isEqualTo(64);
        assertThat(size.read("64KiB")).isEqualTo(64 * 1024);
        assertThat(size.read("1 MB")).isEqualTo(1_000_000);
        assertThat(size.read("1GiB")).isEqualTo(1L << 30);
        refuses(size, "1GiB1", "-1", "", "1.5MiB", "64 parsecs", "999999999999999TiB");
    }

    @Test
    void durations_name_their_unit() {
        var duration = Types.duration("1s", "1h");

        assertThat(duration.read("1s")).isEqualTo(Duration.ofSeconds(1));
        assertThat(duration.read("90 s")).isEqualTo(Duration.ofSeconds(90));
        assertThat(duration.read("60m")).isEqualTo(Duration.ofHours(1));
        refuses(duration, "30", "999ms", "61m", "PT1S", "");
    }

    @Test
    void numbers_hold_on_both_sides() {
        var port = Types.number(0, 65_535);

        assertThat(port.read("0")).isZero();
        assertThat(port.read("65535")).isEqualTo(65_535);
        refuses(port, "-1", "65536", "8080x", "", "99999999999");
        refuses(Types.decimal(0.5, 2), "0.4", "2.1", "NaN", "one");
    }

    @Test
    void words_for_yes_and_no_are_few() {
        assertThat(Types.BOOL.read("true")).isTrue();
        assertThat(Types.BOOL.read("OFF")).isFalse();
        refuses(Types.BOOL, "maybe", "", "2");
    }

    @Test
    void hosts_are_addresses_and_need_no_name_service() {
        assertThat(Types.HOST.read("::1")).isEqualTo("::1");
        assertThat(Types.HOST.read("localhost")).isEqualTo("localhost");
        refuses(Types.HOST, "caisson.example.org", "", "127.0.0.1:80");
    }

    @Test
    void headers_are_pairs_that_do_not_disturb_http() {
        assertThat(Types.HEADERS.read("")).isEmpty();
        assertThat(Types.HEADERS.read("x-key=a=b+c, Authorization = Basic eA==,x-list=1%2C2"))
                .isEqualTo(
                        Map.of("x-key", "a=b+c", "Authorization", "Basic eA==", "x-list", "1,2"));
        assertThat(Types.HEADERS.read("a=" + "x".repeat(4096))).hasSize(1);
        refuses(
                Types.HEADERS,
                "name",
                "=value",
                "a b=c",
                "a=",
                "a=x%0d%0aHost: y",
                "a=%zz",
                "Host=elsewhere",
                "content-length=3",
                "a=" + "x".repeat(4097));
    }

    @Test
    void endpoints_have_no_room_for_a_password() {
        assertThat(Types.ENDPOINT.read("http://127.0.0.1:4318")).hasPort(4318);
        assertThat(Types.ENDPOINT.read("https://otel.example.org/sub")).hasPath("/sub");
        refuses(
                Types.ENDPOINT,
                "127.0.0.1:4318",
                "grpc://a:4317",
                "https://a?b",
                "https://a#b",
                "https://me:secret@a");
    }

    @Test
    void paths_are_made_absolute_and_urls_are_plain() {
        assertThat(Types.PATH.read("/a/../b")).isEqualTo(Path.of("/b"));
        assertThat(Types.PATH.read("data")).isAbsolute();
        refuses(Types.PATH, "~/data", "");
        assertThat(Types.BASE_URL.read("https://a.example/b")).hasHost("a.example");
        refuses(Types.BASE_URL, "ftp://a.example", "https://a.example?b", "a.example", "");
    }

    @Test
    void lists_drop_what_is_empty() {
        assertThat(Types.LIST.read(" a, b ,,c")).isEqualTo(List.of("a", "b", "c"));
        assertThat(Types.LIST.read("")).isEmpty();
        assertThat(Types.NETWORKS.read("10.0.0.0/8,::1")).containsExactly("10.0.0.0/8", "::1");
        refuses(Types.NETWORKS, "10.0.0.0/33", "proxy", "10.0.0.0/", "::1/129");
        assertThat(Types.ORIGINS.read("https://a.example:8443")).hasSize(1);
        refuses(Types.ORIGINS, "a.example", "https://a.example/", "ftp://a.example");
    }

    private static void refuses(Type<?> type, String... texts) {
        for (var text : texts) {
            assertThatThrownBy(() -> type.read(text))
                    .as("'%s' must be %s", text, type.must())
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
