package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Call;
import dev.caisson.call.CallStep;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Span;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class TracedCallsTest {
    private static final Caller ANNA = new Caller("key_anna", "Anna", Set.of(), Set.of());
    private static final Call CALL = FakeCall.by(ANNA);
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final List<Span> spans = new ArrayList<>();

    private interface Body {
        ToolResult call(Call call) throws InterruptedException;
    }

    private record BodyTool(ToolSpec spec, Body body) implements Tool {
        @Override
        public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
            return body.call(call);
        }
    }

    private Broker broker(CallRecorder recorder, Body body) {
        var spec = ToolSpec.of("run", "Run", "Runs.", Json.object().put("type", "object"));
        return TestBroker.of(
                List.of(new BodyTool(spec, body)),
                new TracedCalls(recorder, spans::addAll),
                Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static ToolResult call(Broker broker, String tool) throws InterruptedException {
        return broker.call(CALL, tool, Json.object().put("code", "print(1)"));
    }

    @Test
    void a_call_of_another_server_has_the_steps_of_the_broker_and_of_that_server()
            throws Exception {
        var origin = new ToolOrigin("hub", "list", "list", "list", "", ToolEffect.READ, true);
        var spec =
                ToolSpec.named("hub__list", "List", "Lists.")
                        .taking(Json.object().put("type", "object"))
                        .from(origin)
                        .build();
        var broker =
                TestBroker.of(
                        List.of(new BodyTool(spec, _ -> ToolResult.text("1"))),
                        new TracedCalls(_ -> {}, spans::addAll),
                        Clock.fixed(NOW, ZoneOffset.UTC));
        call(broker, "hub__list");
        assertThat(spans)
                .extracting(Span::name)
                .containsExactly("tool.hub/list", "broker.policy", "upstream.call");
        for (var step : spans.subList(1, 3)) {
            assertThat(step.parent()).contains(spans.getFirst().id());
            assertThat(step.words()).isEqualTo(Map.of("caisson.upstream", "hub"));
            assertThat(step.took()).isLessThanOrEqualTo(spans.getFirst().took());
        }
    }

    @Test
    void a_call_of_a_program_has_the_name_of_the_way_it_takes() throws Exception {
        var broker = broker(_ -> {}, _ -> ToolResult.text("1"));
        var nested =
                new Call(
                        CALL.caller(),
                        Door.SANDBOX,
                        CALL.trace(),
                        CALL.replyMode(),
                        CALL.features(),
                        CALL.notes(),
                        CALL.messages(),
                        CALL.conversation());
        broker.call(nested, "run", Json.object().put("code", "print(1)"));
        assertThat(spans.getFirst().name()).isEqualTo("broker.call");
        assertThat(spans.getFirst().words()).containsEntry("caisson.tool", "run");
    }

    @Test
    void a_call_is_a_span_with_its_steps_below() throws Exception {
        var second = Duration.ofSeconds(1);
        var broker =
                broker(
                        _ -> {},
                        call -> {
                            call.began("exec_1");
                            call.notes()
                                    .took(ended -> {
                                        assertThat(ended).isPositive().isLessThan(second);
                                        return List.of(
                                                new CallStep("a", second, second, Map.of("k", "v")),
                                                new CallStep(
                                                        "b",
                                                        second.multipliedBy(2),
                                                        second,
                                                        Map.of()));
                                    });
                            return ToolResult.text("1");
                        });
        call(broker, "run");

        assertThat(spans).extracting(Span::name).containsExactly("tool.run", "a", "b");
        var whole = spans.getFirst();
        assertThat(whole.trace()).isEqualTo(CALL.trace().id());
        assertThat(whole.parent()).isEmpty();
        assertThat(whole.kind()).isEqualTo(Span.Kind.SERVER);
        assertThat(whole.began()).isEqualTo(NOW);
        assertThat(whole.failed()).isFalse();
        assertThat(whole.words())
                .isEqualTo(
                        Map.of(
                                "caisson.tool", "run",
                                "caisson.door", "inside",
                                "caisson.caller", "key_anna",
                                "caisson.status", "success",
                                "caisson.execution", "exec_1"));
        for (var step : spans.subList(1, 3)) {
            assertThat(step.parent()).contains(whole.id());
            assertThat(step.trace()).isEqualTo(whole.trace());
            assertThat(step.kind()).isEqualTo(Span.Kind.INTERNAL);
            assertThat(step.took()).isEqualTo(second);
        }
        assertThat(spans.get(1).words()).isEqualTo(Map.of("k", "v"));
        assertThat(spans.get(2).began()).isEqualTo(NOW.plusSeconds(2));
    }

    @Test
    void every_ending_is_told_and_only_failures_are_errors() {
        assertEnding("success", "", false, _ -> ToolResult.text("1"));
        assertEnding("failed", "failed", true, _ -> ToolResult.failure("no"));
        assertEnding(
                "failed",
                "exit code 3",
                true,
                call -> {
                    call.notes().failedBy("exit code 3");
                    return ToolResult.failure("no");
                });
        assertEnding(
                "refused:conflict",
                "conflict",
                false,
                _ -> {
                    throw new Refusal(Reason.CONFLICT, "busy");
                });
        assertEnding(
                "cancelled",
                "cancelled",
                false,
                _ -> {
                    throw new InterruptedException();
                });
        assertEnding(
                "fault",
                "fault",
                true,
                _ -> {
                    throw new IllegalStateException("internals");
                });
    }

    private void assertEnding(String status, String error, boolean failed, Body body) {
        spans.clear();
        try {
            call(broker(_ -> {}, body), "run");
        } catch (RuntimeException | InterruptedException _) {
            assertThat(status).isNotEqualTo("failed");
        }
        assertThat(spans).hasSize(1);
        assertThat(spans.getFirst().words()).containsEntry("caisson.status", status);
        assertThat(spans.getFirst().words().getOrDefault("caisson.error", "")).isEqualTo(error);
        assertThat(spans.getFirst().failed()).isEqualTo(failed);
    }

    @Test
    void an_error_is_short_and_whole_characters() throws Exception {
        for (var said : List.of("x".repeat(512), "x".repeat(513), "x".repeat(511) + "ä")) {
            spans.clear();
            var broker =
                    broker(
                            _ -> {},
                            call -> {
                                call.notes().failedBy(said);
                                return ToolResult.failure("no");
                            });
            call(broker, "run");
            var error = spans.getFirst().words().getOrDefault("caisson.error", "");
            assertThat(error).isEqualTo(said.substring(0, said.endsWith("ä") ? 511 : 512));
        }
    }

    @Test
    void a_call_whose_record_failed_is_a_fault() {
        var broker =
                broker(
                        _ -> {
                            throw new IllegalStateException("disk full");
                        },
                        _ -> ToolResult.text("1"));

        assertThatThrownBy(() -> call(broker, "run")).hasMessage("disk full");
        assertThat(spans).hasSize(1);
        assertThat(spans.getFirst().words()).containsEntry("caisson.status", "fault");
        assertThat(spans.getFirst().failed()).isTrue();
    }

    @Test
    void the_name_of_a_tool_that_is_not_there_is_not_repeated() {
        assertThatThrownBy(() -> call(broker(_ -> {}, _ -> ToolResult.text("1")), "hunter2"))
                .isInstanceOf(Refusal.class);
        assertThat(spans).hasSize(1);
        assertThat(spans.toString()).contains("tool.unknown").doesNotContain("hunter2");
    }
}
