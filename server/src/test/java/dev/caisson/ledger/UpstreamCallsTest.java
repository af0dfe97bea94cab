package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.caisson.broker.TestBroker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.CallNotes;
import dev.caisson.call.Caller;
import dev.caisson.call.ClientMessages;
import dev.caisson.call.CodePlace;
import dev.caisson.call.Conversation;
import dev.caisson.call.Door;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NestedIn;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ReplyMode;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.store.Store;
import dev.caisson.store.StoreTestCase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Calls of other servers' tools are kept with what was sent and answered.
@Timeout(60)
final class UpstreamCallsTest extends StoreTestCase {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final KeyedDigest DIGEST = new KeyedDigest(new byte[] {1});
    private static final Caller ANNA = new Caller("anna", "Anna", Set.of(), Set.of("core"));
    private static final UpstreamCallLimits ALL = new UpstreamCallLimits(true, true, 1 << 30);
    private static final String RUN = "exe_1";
    private static final ObjectNode SCHEMA =
            (ObjectNode)
                    Json.parse(
                            """
                            {"type":"object","additionalProperties":false,"properties":
                            {"text":{"type":"string"},"password":{"type":"string"}}}
                            """);

    private final AtomicInteger numbers = new AtomicInteger();
    private final List<String> told = new ArrayList<>();

    private Optional<CodePlace> at = Optional.empty();

    private interface Behaviour {
        ToolResult answer(Call call) throws InterruptedException;
    }

    private UpstreamCalls calls(UpstreamCallLimits limits, Instant now) {
        return new UpstreamCalls(
                call -> told.add(call.tool()),
                store,
                DIGEST,
                Clock.fixed(now, ZoneOffset.UTC),
                limits,
                (_, _, arguments) -> {
                    if (arguments.path("file").asString("").contains("geheim")) {
                        return arguments.deepCopy().put("file", "[REDACTED]");
                    }
                    return arguments.has("password")
                            ? arguments.deepCopy().put("password", "[REDACTED]")
                            : arguments;
                });
    }

    /// Those of a server with its file in a directory.
    static UpstreamCalls noting(Store store, Path directory) {
        return noting(store, Intents.in(directory));
    }

    static UpstreamCalls noting(Store store, Intents intents) {
        return new UpstreamCalls(
                _ -> {},
                store,
                DIGEST,
                Clock.systemUTC(),
                ALL,
                (_, _, arguments) -> arguments,
                Optional.of(intents));
    }

    private static Tool tool(ToolEffect effect, Behaviour behaviour) {
        boolean reads = effect == ToolEffect.READ;
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return ToolSpec.named("github__find", "Find", "Finds.")
                        .taking(SCHEMA)
                        .hinted(new ToolSpec.Hints(reads, false, reads, true))
                        .from(
                                new ToolOrigin(
                                        "github", "find", "find", "find-it", "ab", effect, false))
                        .build();
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
                return behaviour.answer(call);
            }
        };
    }

    private Call nested() {
        return new Call(
                ANNA,
                Door.SANDBOX,
                TraceContext.fresh(),
                ReplyMode.INLINE,
                Set.of(),
                CallNotes.nestedIn(new NestedIn(RUN, numbers.incrementAndGet(), at)),
                ClientMessages.NONE,
                Conversation.NONE);
    }

    private UpstreamCall made(
            UpstreamCalls calls, ToolEffect effect, ObjectNode arguments, Behaviour behaviour) {
        var broker = TestBroker.of(List.of(tool(effect, behaviour)), calls, Clock.systemUTC());
        var _ = catchThrowable(() -> broker.call(nested(), "github__find", arguments));
        return calls.ofExecution(RUN, numbers.get() - 1, 10).getFirst();
    }

    private UpstreamCall made(ToolEffect effect, Behaviour behaviour) {
        return made(calls(ALL, NOON), effect, Json.object(), behaviour);
    }

    @Test
    void a_call_is_kept_with_its_arguments_and_its_result_and_without_secrets() {
        var call =
                made(
                        calls(ALL, NOON),
                        ToolEffect.READ,
                        Json.object().put("text", "zwölf").put("password", "geheim"),
                        _ -> ToolResult.text("{\"found\":3}"));
        assertThat(call.id()).isEqualTo("exe_1.1");
        assertThat(call.executionId()).contains(RUN);
        assertThat(call.number()).isEqualTo(1);
        assertThat(call.caller()).isEqualTo("anna");
        assertThat(call.upstream() + "." + call.tool()).isEqualTo("github.find");
        assertThat(call.hash()).isEqualTo("ab");
        assertThat(call.state()).isEqualTo(State.DONE);
        assertThat(call.failed()).contains(false);
        assertThat(call.effect()).isEqualTo("read");
        assertThat(Json.text(call.arguments().orElseThrow()))
                .contains("zwölf", "[REDACTED]")
                .doesNotContain("geheim");
        assertThat(Json.text(call.result().orElseThrow())).isEqualTo("{\"found\":3}");
        assertThat(call.resultBytes()).hasValue(11);
        assertThat(call.durationMicros()).isPresent();
        assertThat(call.asked())
                .contains(new UpstreamCall.Asked("find-it", Door.SANDBOX, false, Optional.empty()));
        assertThat(told).containsExactly("github/find-it");
    }

    @Test
    void the_place_in_the_program_is_kept_without_secrets() {
        assertThat(made(ToolEffect.READ, _ -> ToolResult.text("")).at()).isEmpty();
        at = Optional.of(new CodePlace("/run/job/main.py", 7));
        assertThat(made(ToolEffect.WRITE, _ -> ToolResult.text("")).at()).isEqualTo(at);
        at = Optional.of(new CodePlace("geheim.py", 8));
        assertThat(made(ToolEffect.READ, _ -> ToolResult.text("")).at())
                .contains(new CodePlace("[REDACTED]", 8));
    }

    @Test
    void a_call_that_may_change_something_is_there_before_its_tool_is_called() {
        var calls = calls(ALL, NOON);
        var during = new ArrayList<UpstreamCall>();
        var after =
                made(
                        calls,
                        ToolEffect.WRITE,
                        Json.object(),
                        _ -> {
                            during.addAll(calls.ofExecution(RUN, 0, 10));
                            return ToolResult.failure("no");
                        });
        assertThat(during).hasSize(1);
        assertThat(during.getFirst().state()).isEqualTo(State.INTENDED);
        assertThat(during.getFirst().failed()).isEmpty();
        assertThat(after.id()).isEqualTo(during.getFirst().id());
        assertThat(after.state()).isEqualTo(State.DONE);
        assertThat(after.failed()).contains(true);
        assertThat(Json.text(after.result().orElseThrow())).isEqualTo("\"no\"");
    }

    @Test
    void nobody_knows_of_a_call_whose_server_is_gone(@TempDir Path data) {
        var calls = calls(ALL, NOON);
        var during = new ArrayList<State>();
        Behaviour settling =
                _ -> {
                    calls.settleAbandoned();
                    during.add(calls.ofExecution(RUN, 0, 10).getLast().state());
                    return ToolResult.text("");
                };
        made(calls, ToolEffect.WRITE, Json.object(), settling);
        assertThat(during).as("of no server").containsExactly(State.UNKNOWN);
        assertThat(calls.ofExecution(RUN, 0, 10).getLast().state())
                .as("it ended after all")
                .isEqualTo(State.DONE);

        store.enlist(data, "here");
        made(calls, ToolEffect.WRITE, Json.object(), settling);
        assertThat(during).as("of this server").endsWith(State.INTENDED);
    }

    @Test
    void a_call_that_only_reads_is_there_when_it_is_over() {
        var calls = calls(ALL, NOON);
        made(
                calls,
                ToolEffect.READ,
                Json.object(),
                _ -> {
                    assertThat(calls.ofExecution(RUN, 0, 10)).isEmpty();
                    return ToolResult.text("");
                });
        assertThat(calls.ofExecution(RUN, 0, 10)).hasSize(1);
    }

    @Test
    void every_state_is_told_from_the_others() {
        assertThat(made(ToolEffect.WRITE, _ -> refuse(Reason.UPSTREAM)).state())
                .isEqualTo(State.NOT_SENT);
        assertThat(
                        made(
                                        ToolEffect.WRITE,
                                        call -> {
                                            call.notes().sends();
                                            return refuse(Reason.OUTCOME_UNKNOWN);
                                        })
                                .state())
                .isEqualTo(State.UNKNOWN);
        var answered =
                made(
                        ToolEffect.READ,
                        call -> {
                            call.notes().sends();
                            return refuse(Reason.UPSTREAM);
                        });
        assertThat(answered.state()).isEqualTo(State.DONE);
        assertThat(answered.failed()).contains(true);
        assertThat(answered.error()).contains("refused:upstream");
        assertThat(
                        made(
                                        ToolEffect.READ,
                                        call -> {
                                            call.notes().sends();
                                            throw new InterruptedException();
                                        })
                                .state())
                .isEqualTo(State.UNKNOWN);
        var refused =
                made(
                        calls(ALL, NOON),
                        ToolEffect.WRITE,
                        Json.object().put("unasked", 1),
                        _ -> ToolResult.text(""));
        assertThat(refused.state()).isEqualTo(State.REFUSED);
        assertThat(refused.error()).contains("refused:invalid_argument");
    }

    private static ToolResult refuse(Reason reason) {
        throw new Refusal(reason, "no");
    }

    @Test
    void what_is_too_long_or_unwanted_is_not_kept_and_its_size_is() {
        var fits = "x".repeat(UpstreamCalls.KEPT_BYTES_MAX - 2);
        assertThat(made(ToolEffect.READ, _ -> ToolResult.text(fits)).result()).isPresent();
        var longer = made(ToolEffect.READ, _ -> ToolResult.text(fits + "x"));
        assertThat(longer.result()).isEmpty();
        assertThat(longer.resultBytes()).hasValue(UpstreamCalls.KEPT_BYTES_MAX + 1);
        var nothing =
                made(
                        calls(new UpstreamCallLimits(false, false, 1 << 30), NOON),
                        ToolEffect.READ,
                        Json.object(),
                        _ -> ToolResult.text("answer"));
        assertThat(nothing.arguments()).isEmpty();
        assertThat(nothing.result()).isEmpty();
        assertThat(nothing.argumentBytes()).isEqualTo(2);
    }

    @Test
    void pages_are_bounded_in_calls_and_bytes() {
        for (int i = 0; i < 12; i++) {
            made(ToolEffect.READ, _ -> ToolResult.text("x".repeat(250_000)));
        }
        var calls = calls(ALL, NOON);
        assertThat(calls.ofExecution(RUN, 0, 3))
                .extracting(UpstreamCall::number)
                .containsExactly(1L, 2L, 3L);
        assertThat(calls.ofExecution(RUN, 0, 200)).hasSize(8);
        assertThat(calls.ofExecution(RUN, 8, 200)).hasSize(4);
        assertThat(calls.ofExecution(RUN, 12, 200)).isEmpty();
    }

    @Test
    void what_is_not_kept_any_more_goes_and_so_do_the_oldest_bytes() {
        made(ToolEffect.READ, _ -> ToolResult.text("a".repeat(1_000)));
        made(ToolEffect.READ, _ -> ToolResult.text("b".repeat(1_000)));
        var small = calls(new UpstreamCallLimits(true, true, 1_500), NOON);
        assertThat(small.sweep(Optional.of(Duration.ofDays(30)))).isPositive();
        var kept = small.ofExecution(RUN, 0, 10);
        assertThat(kept).hasSize(2);
        assertThat(kept.get(0).result()).isEmpty();
        assertThat(kept.get(1).result()).isPresent();
        var later = calls(ALL, Instant.now().plus(Duration.ofDays(3)));
        assertThat(later.sweep(Optional.empty())).isEqualTo(2);
        assertThat(later.ofExecution(RUN, 0, 10)).isEmpty();
        assertThat(later.sweep(Optional.empty())).isZero();
    }

    @Test
    void a_call_whose_server_is_gone_is_unknown() {
        store.write(handle ->
                handle.update(
                                """
                                INSERT INTO tool_call (id, execution_id, number, caller, upstream,
                                    tool, hash, arguments_hash, state, effect, argument_bytes,
                                    kept_bytes, began_at)
                                VALUES ('c', NULL, 0, 'anna', 'u', 't', '', '', 'intended',
                                    'write', 2, 0, 0)
                                """)
                        .execute());
        assertThat(calls(ALL, NOON).sweep(Optional.empty())).isEqualTo(1);
        String state =
                store.read(handle ->
                        handle.query("SELECT state FROM tool_call").mapTo(String.class).one());
        assertThat(state).isEqualTo("unknown");
    }
}
