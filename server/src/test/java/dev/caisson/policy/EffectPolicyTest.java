package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallPolicy.Verdict;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Consent;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.Recording;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolList;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Tools of other servers that may change something are denied, and the denial is on record.
class EffectPolicyTest {
    private final List<RecordedCall> recorded = new ArrayList<>();
    private final List<String> called = new ArrayList<>();
    private final Broker broker =
            new Broker(
                    Broker.Sources.ofTools(
                            new ToolList(
                                    Arrays.stream(ToolEffect.values())
                                            .map(effect -> new Upstream(effect, called))
                                            .toList(),
                                    new Changes())),
                    new CallRules(new EffectPolicy(), Consent.NOT_NEEDED),
                    new Changes(),
                    new Recording(recorded::add, new Metrics(), Clock.systemUTC()),
                    Redaction.standard());

    /// Tool of another server.
    private record Upstream(ToolEffect effect, List<String> called) implements Tool {
        @Override
        public ToolSpec spec() {
            var name = "do_" + effect.word();
            return ToolSpec.named("up__" + name, name, "Does.")
                    .from(new ToolOrigin("up", name, name, name, "0a", effect, false))
                    .in("up_up")
                    .build();
        }

        @Override
        public ToolResult call(Call call, ObjectNode arguments) {
            called.add(effect.word());
            return ToolResult.text("done");
        }
    }

    @Test
    void a_tool_that_changes_nothing_may_be_called() throws Exception {
        broker.call(FakeCall.by(Caller.LOCAL), "up__do_read", Json.object());
        assertThat(called).containsExactly("read");
        assertThat(recorded.getFirst().tool()).isEqualTo("up/do_read");
    }

    @Test
    void a_tool_that_may_change_something_is_denied_with_the_remedy() {
        for (var effect : List.of(ToolEffect.WRITE, ToolEffect.DESTROY, ToolEffect.UNKNOWN)) {
            var name = "do_" + effect.word();
            assertThatThrownBy(() ->
                            broker.call(FakeCall.by(Caller.LOCAL), "up__" + name, Json.object()))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.DENIED);
                                assertThat(refusal.type()).isEqualTo(ToolErrorType.DENIED);
                                assertThat(refusal.isRetryable()).isFalse();
                                assertThat(refusal.sentence())
                                        .startsWith("up/" + name + " may not be called")
                                        .contains("an operator can say so");
                            });
            assertThat(recorded.getLast().tool()).isEqualTo("up/" + name);
            assertThat(recorded.getLast().status()).isEqualTo("refused:denied");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void a_tool_is_found_with_what_the_policy_says_of_it() {
        for (var spec : broker.callable(Caller.LOCAL)) {
            var read = spec.effectiveOrigin().effect() == ToolEffect.READ;
            assertThat(broker.verdict(Caller.LOCAL, spec))
                    .isEqualTo(read ? Verdict.ALLOW : Verdict.DENY);
        }
        var own = ToolSpec.of("own", "Own", "Does.", ToolSpec.noArguments());
        assertThat(broker.verdict(Caller.LOCAL, own)).isEqualTo(Verdict.ALLOW);
    }
}
