package dev.caisson.mcp.legacy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.mcp.FakeStream;
import dev.caisson.mcp.McpLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LegacyStreamTest {
    private static final int EVENTS = McpLimits.DEFAULT.replay().streamEvents();

    private final LegacyStream stream =
            new LegacyStream("c1", McpLimits.DEFAULT, new ReplayBudget(1 << 20), true);

    private void event(String json) {
        assertThat(stream.event(json.getBytes(UTF_8))).isTrue();
    }

    @Test
    void a_reader_that_comes_back_gets_what_it_missed_and_nothing_twice() {
        var first = new FakeStream();
        stream.attach(first);
        event("{\"n\":1}");
        first.close();
        event("{\"n\":2}");
        stream.end();
        var second = new FakeStream();
        stream.resume(second, 1);
        assertThat(first.text()).startsWith("id: c1-0\ndata: \n\n").contains("{\"n\":1}");
        assertThat(second.text()).isEqualTo("event: message\nid: c1-2\ndata: {\"n\":2}\n\n");
        assertThat(second.isOpen()).isFalse();
    }

    @Test
    void a_reader_sent_away_is_told_when_to_come_back() {
        var first = new FakeStream();
        stream.attach(first);
        stream.release(Duration.ofMillis(500));
        assertThat(first.text()).endsWith("retry: 500\n\n");
        assertThat(first.isOpen()).isFalse();
        event("{}");
        var second = new FakeStream();
        stream.resume(second, 0);
        assertThat(second.text()).contains("id: c1-1");
        assertThat(second.isOpen()).isTrue();
    }

    @Test
    void the_log_is_bounded_and_keeps_the_answer() {
        for (int n = 1; n <= EVENTS + 1; n++) {
            event("{}");
        }
        var reader = new FakeStream();
        stream.resume(reader, 0);
        assertThat(reader.text())
                .doesNotContain("c1-1\n")
                .contains("c1-2\n")
                .contains("c1-" + (EVENTS + 1) + "\n");
    }

    @Test
    void an_answer_larger_than_the_log_is_kept_alone() {
        event("{}");
        event("\"" + "x".repeat(McpLimits.DEFAULT.replay().streamBytes()) + "\"");
        var reader = new FakeStream();
        stream.resume(reader, 0);
        assertThat(reader.text()).startsWith("event: message\nid: c1-2\n").contains("xxx");
    }

    @Test
    void nothing_follows_the_end() {
        stream.end();
        assertThat(stream.event("{}".getBytes(UTF_8))).isFalse();
    }
}
