package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.TestBroker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import dev.caisson.stubs.Shapes;
import dev.caisson.stubs.ToolStub;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// What tools return is learned from what they returned, without any value of it.
@Timeout(60)
final class LearnedTypesTest extends StoreTestCase {
    private static final ToolOrigin ORIGIN =
            new ToolOrigin("hub", "list", "list", "list", "ab", ToolEffect.READ, false);

    private final Moving clock = new Moving();
    private final Metrics metrics = new Metrics();
    private boolean learning = true;
    private String answer = "{\"name\": \"geheim\", \"size\": 1}";
    private boolean failing;
    private List<String> drift = List.of();
    private LearnedTypes learned;

    /// A clock that a test moves.
    private static final class Moving extends Clock {
        Instant now = Instant.parse("2026-03-01T12:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void open() {
        learned = learned();
    }

    private LearnedTypes learned() {
        return new LearnedTypes(call -> drift = List.of(), store, clock, _ -> learning, metrics);
    }

    private final Tool tool =
            new Tool() {
                @Override
                public ToolSpec spec() {
                    return ToolSpec.named("hub__list", "List", "Lists.")
                            .taking(ToolSpec.noArguments())
                            .hinted(ToolSpec.Hints.READS)
                            .from(ORIGIN)
                            .build();
                }

                @Override
                public ToolResult call(Call call, ObjectNode arguments) {
                    return failing ? ToolResult.failure(answer) : ToolResult.text(answer);
                }
            };

    private void call(int times, String given) throws Exception {
        answer = given;
        var broker =
                TestBroker.of(
                        List.of(tool),
                        recorded -> {
                            learned.record(recorded);
                            drift = recorded.notes().drift();
                        },
                        clock);
        for (int time = 0; time < times; time++) {
            broker.call(FakeCall.by(Caller.LOCAL), "hub__list", Json.object());
        }
    }

    private Optional<String> sentence() {
        return learned.of(ORIGIN).map(Shapes::sentence);
    }

    @Test
    void after_five_results_a_stub_has_their_types_and_no_value() throws Exception {
        call(4, "{\"name\": \"geheim\", \"size\": 1}");
        assertThat(sentence()).isEmpty();
        call(1, "{\"name\": null, \"size\": 2}");
        assertThat(sentence()).contains("learned from 5 results; name null in 20 %");
        var stub = ToolStub.PYTHON.of(tool.spec(), learned.of(ORIGIN));
        assertThat(stub).contains("size: int", "learned from 5 results");
        assertThat(stub).doesNotContain("geheim");
        learned.close();
        var kept =
                store.read(handle ->
                        handle.query("SELECT shape FROM tool_shape").mapTo(String.class).one());
        assertThat(kept).contains("name").doesNotContain("geheim");
    }

    @Test
    void stubs_change_every_ten_minutes_and_not_with_every_call() throws Exception {
        call(5, "{\"size\": 1}");
        call(20, "{\"size\": 1, \"more\": true}");
        assertThat(sentence()).contains("learned from 5 results");
        clock.now = clock.now.plus(LearnedTypes.TOLD_EVERY);
        call(1, "{\"size\": 1, \"more\": true}");
        assertThat(sentence()).contains("learned from 26 results");
    }

    @Test
    void what_was_not_in_the_fifty_results_before_is_drift() throws Exception {
        call(50, "{\"size\": 1}");
        assertThat(drift).isEmpty();
        assertThat(learned.drifted(ORIGIN)).isEmpty();
        call(1, "{\"size\": \"1\", \"colour\": \"red\"}");
        assertThat(drift).containsExactly("hub.list: size: string", "hub.list: colour: string");
        assertThat(learned.drifted(ORIGIN)).contains(clock.now);
        assertThat(metrics.toolDrift().labelValues("hub").get()).isEqualTo(1);
        call(1, "{\"size\": \"2\", \"colour\": \"blue\"}");
        assertThat(drift).as("it is news once").isEmpty();
    }

    @Test
    void what_was_learned_outlives_the_server_until_nobody_calls_it() throws Exception {
        call(7, "{\"size\": 1}");
        learned.close();
        learned = learned();
        assertThat(sentence()).contains("learned from 7 results");
        call(1, "{\"size\": 1}");
        clock.now = clock.now.plus(LearnedTypes.KEPT).plus(Duration.ofDays(1));
        assertThat(learned.sweep()).as("it was just saved").isZero();
        clock.now = clock.now.plus(LearnedTypes.KEPT).plusMillis(1);
        assertThat(learned.sweep()).isEqualTo(1);
    }

    @Test
    void nothing_is_learned_of_failures_of_large_results_and_of_others() throws Exception {
        failing = true;
        call(6, "{\"size\": 1}");
        failing = false;
        call(6, "{\"text\": \"" + "x".repeat((int) LearnedTypes.RESULT_BYTES_MAX) + "\"}");
        learning = false;
        call(6, "{\"size\": 1}");
        learning = true;
        assertThat(sentence()).isEmpty();
        call(5, "{\"size\": 1}");
        assertThat(sentence()).contains("learned from 5 results");
    }
}
