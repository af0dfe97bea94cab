package dev.caisson.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TraceContextTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @Test
    void a_traceparent_names_the_trace_and_the_span_that_called() {
        assertThat(TraceContext.ofTraceparent("00-" + TRACE + "-" + SPAN + "-01"))
                .contains(
                        new TraceContext(new TraceId(TRACE), Optional.of(new SpanId(SPAN)), true));
    }

    @Test
    void only_the_last_bit_of_the_flags_says_whether_spans_are_wanted() {
        assertThat(sampled("00")).isFalse();
        assertThat(sampled("01")).isTrue();
        assertThat(sampled("02")).isFalse();
        assertThat(sampled("ff")).isTrue();
    }

    private static boolean sampled(String flags) {
        return TraceContext.ofTraceparent("00-" + TRACE + "-" + SPAN + "-" + flags)
                .orElseThrow()
                .sampled();
    }

    @Test
    void a_later_version_may_say_more() {
        assertThat(TraceContext.ofTraceparent("cc-" + TRACE + "-" + SPAN + "-01-more")).isPresent();
    }

    @Test
    void what_is_not_valid_says_nothing() {
        for (var text :
                List.of(
                        "",
                        "00-zz",
                        "ff-" + TRACE + "-" + SPAN + "-01",
                        "00-" + "0".repeat(32) + "-" + SPAN + "-01",
                        "00-" + TRACE + "-" + "0".repeat(16) + "-01",
                        "00-" + TRACE.toUpperCase(Locale.ROOT) + "-" + SPAN + "-01",
                        "00-" + TRACE + "-" + SPAN)) {
            assertThat(TraceContext.ofTraceparent(text)).as(text).isEmpty();
        }
    }

    @Test
    void a_trace_that_begins_here_is_wanted_and_has_no_parent() {
        var fresh = TraceContext.fresh();
        assertThat(fresh.sampled()).isTrue();
        assertThat(fresh.parent()).isEmpty();
        assertThat(fresh).isNotEqualTo(TraceContext.fresh());
    }

    @Test
    void a_fresh_span_has_an_id_of_its_own() {
        assertThat(SpanId.fresh().value()).matches("[0-9a-f]{16}").isNotEqualTo("0".repeat(16));
        assertThat(SpanId.fresh()).isNotEqualTo(SpanId.fresh());
    }
}
