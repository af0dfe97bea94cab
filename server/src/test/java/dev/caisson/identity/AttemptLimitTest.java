package dev.caisson.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AttemptLimitTest {
    private final TestClock clock = new TestClock();
    private final AttemptLimit limit = new AttemptLimit(clock::nanoTime);

    private void exhaust(String address) {
        for (var i = 0; i < AttemptLimit.FAILURES_MAX; i++) {
            assertThat(limit.failed(address)).isEmpty();
        }
    }

    @Test
    void the_window_slides_with_each_failure() {
        limit.failed("192.0.2.1");
        clock.advance(Duration.ofSeconds(30));
        limit.failed("192.0.2.1");
        limit.failed("192.0.2.1");
        assertThat(limit.failed("192.0.2.1")).contains(Duration.ofSeconds(30));
        clock.advance(Duration.ofSeconds(30));
        assertThat(limit.failed("192.0.2.1")).isEmpty();
        assertThat(limit.failed("192.0.2.1")).contains(Duration.ofSeconds(30));
    }

    @Test
    void an_ipv6_network_counts_as_one_address() {
        exhaust("2001:db8:1:2::1");
        assertThat(limit.failed("2001:db8:1:2:ffff::9")).isPresent();
        assertThat(limit.failed("2001:db8:1:3::1")).isEmpty();
    }

    @Test
    void an_ipv4_address_counts_the_same_in_its_ipv6_form() {
        exhaust("192.0.2.1");
        assertThat(limit.failed("::ffff:192.0.2.1")).isPresent();
        assertThat(limit.failed("192.0.2.2")).isEmpty();
    }

    @Test
    void what_is_no_address_counts_as_it_is() {
        exhaust("unix");
        assertThat(limit.failed("unix")).isPresent();
        assertThat(limit.failed("")).isEmpty();
    }

    @Test
    void memory_is_bounded_and_the_longest_quiet_address_is_forgotten_first() {
        exhaust("192.0.2.1");
        exhaust("192.0.2.2");
        for (var i = 0; i < AttemptLimit.ADDRESSES_MAX - 2; i++) {
            limit.failed("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(limit.failed("192.0.2.1")).isPresent();
        assertThat(limit.remembered()).isEqualTo(AttemptLimit.ADDRESSES_MAX);
        limit.failed("198.51.100.1");
        assertThat(limit.remembered()).isEqualTo(AttemptLimit.ADDRESSES_MAX);
        assertThat(limit.failed("192.0.2.1")).isPresent();
        assertThat(limit.failed("192.0.2.2")).isEmpty();
    }
}
