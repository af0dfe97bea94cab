package dev.caisson.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Door;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class KeyHealthTest {
    private final Metrics metrics = new Metrics();
    private final AtomicLong now = new AtomicLong();
    private final KeyHealth health = new KeyHealth(metrics, now::get);

    private static Caller caller(String id) {
        return new Caller(id, "name of " + id, Set.of(), Set.of());
    }

    private void note(String tool, String argument, boolean failed) {
        health.note(caller("key_a"), tool, Json.object().put("x", argument), failed);
    }

    private double rate() {
        return metrics.keyErrorRate().labelValues("key_a").get();
    }

    private double repetitions() {
        return metrics.keyRepetitions().labelValues("key_a").get();
    }

    @Test
    void the_error_rate_is_that_of_the_last_hundred_calls() {
        note("run", "0", true);
        assertThat(rate()).isEqualTo(1.0);
        note("run", "1", false);
        assertThat(rate()).isEqualTo(0.5);
        for (var n = 2; n < KeyHealth.ERROR_WINDOW; n++) {
            note("run", "n" + n, false);
        }
        assertThat(rate()).isEqualTo(0.01);
        note("run", "last", false);
        assertThat(rate()).isZero();
    }

    @Test
    void a_program_that_calls_the_same_again_and_again_is_no_model_in_a_loop() throws Exception {
        var tool =
                new Tool() {
                    @Override
                    public ToolSpec spec() {
                        return ToolSpec.of("run", "Run", "Runs.", ToolSpec.noArguments());
                    }

                    @Override
                    public ToolResult call(Call call, ObjectNode arguments) {
                        return ToolResult.failure("no");
                    }
                };
        var changes = new Changes();
        var broker =
                TestBroker.of(
                        TestBroker.sources(new ToolList(List.of(tool), changes)),
                        changes,
                        new Recording(_ -> {}, metrics, Clock.systemUTC()));
        for (var door : List.of(Door.SANDBOX, Door.REST)) {
            for (int time = 0; time < KeyHealth.REPETITION_THRESHOLD; time++) {
                broker.call(
                        Call.of(caller("key_a"), door, TraceContext.fresh()), "run", Json.object());
            }
            int told = door == Door.SANDBOX ? 0 : 1;
            assertThat(repetitions()).as(door.word()).isEqualTo(told);
            assertThat(rate()).as(door.word()).isEqualTo(told);
        }
    }

    @Test
    void the_third_call_with_the_same_arguments_is_a_repetition() {
        note("run", "a", false);
        note("run", "b", false);
        note("run", "a", false);
        note("other", "a", false);
        assertThat(repetitions()).isZero();
        note("run", "a", false);
        assertThat(repetitions()).isEqualTo(1);
        note("run", "a", false);
        assertThat(repetitions()).isEqualTo(2);
    }

    @Test
    void what_is_longer_ago_than_the_window_does_not_count() {
        var window = KeyHealth.REPETITION_WINDOW.toNanos();
        note("run", "a", false);
        note("run", "a", false);
        now.set(window + 1);
        note("run", "a", false);
        assertThat(repetitions()).isZero();
        now.set(2 * window);
        note("run", "a", false);
        assertThat(repetitions()).isZero();
        now.set(2 * window + 1);
        note("run", "a", false);
        assertThat(repetitions()).isEqualTo(1);
    }

    @Test
    void only_so_many_calls_are_compared() {
        note("run", "a", false);
        note("run", "a", false);
        for (var n = 0; n < KeyHealth.COMPARED_MAX - 1; n++) {
            note("run", "n" + n, false);
        }
        note("run", "a", false);
        assertThat(repetitions()).isZero();
    }

    @Test
    void only_the_keys_that_called_last_have_numbers() {
        for (var n = 0; n <= KeyHealth.KEYS_MAX; n++) {
            for (var again = 0; again < 3; again++) {
                health.note(caller("key_" + n), "run", Json.object(), true);
            }
            health.note(caller("key_busy"), "run", Json.object(), true);
        }
        var text = new String(metrics.scrape(), UTF_8);
        assertThat(text.lines().filter(line -> line.startsWith("caisson_key_error_rate{")))
                .hasSize(KeyHealth.KEYS_MAX);
        assertThat(text.lines().filter(line -> line.startsWith("caisson_key_repetitions_total{")))
                .hasSize(KeyHealth.KEYS_MAX);
        assertThat(text)
                .contains("caisson_key_error_rate{key=\"key_busy\"} 1.0")
                .contains("key=\"key_" + KeyHealth.KEYS_MAX + "\"")
                .doesNotContain("key=\"key_0\"", "key=\"key_1\"");
    }
}
