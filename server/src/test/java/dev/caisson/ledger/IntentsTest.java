package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.caisson.call.ReplyMode;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.ledger.UpstreamCall.State;
import dev.caisson.store.StoreTestCase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/// What the next process says of calls that were under way when one ended. Here it ends when it
/// leaves its file; [dev.caisson.KilledCallsTest] kills it.
@Timeout(60)
final class IntentsTest extends StoreTestCase {
    private static final Caller ANNA = new Caller("anna", "Anna", Set.of(), Set.of("core"));
    private static final CodePlace PLACE = new CodePlace("/run/job/main.py", 7);
    private static final String RUN = "exe_1";
    private static final String NOW = "boot 1";

    @TempDir Path data;

    private final AtomicInteger numbers = new AtomicInteger();

    private interface During {
        void look(Call call) throws InterruptedException;
    }

    private UpstreamCalls calls(String boot) {
        return new UpstreamCalls(
                _ -> {},
                store,
                new KeyedDigest(new byte[] {1}),
                Clock.systemUTC(),
                new UpstreamCallLimits(true, true, 1 << 30),
                (_, _, arguments) ->
                        arguments.has("password")
                                ? arguments.deepCopy().put("password", "[REDACTED]")
                                : arguments,
                Optional.of(new Intents(data, boot)));
    }

    private void call(UpstreamCalls calls, ToolEffect effect, ObjectNode arguments, During during) {
        boolean reads = effect == ToolEffect.READ;
        var spec =
                ToolSpec.named("github__find", "Find", "Finds.")
                        .taking((ObjectNode) Json.parse("{\"type\":\"object\"}"))
                        .hinted(new ToolSpec.Hints(reads, false, reads, true))
                        .from(
                                new ToolOrigin(
                                        "github", "find", "find", "find-it", "ab", effect, true))
                        .build();
        var tool =
                new Tool() {
                    @Override
                    public ToolSpec spec() {
                        return spec;
                    }

                    @Override
                    public ToolResult call(Call call, ObjectNode given)
                            throws InterruptedException {
                        during.look(call);
                        return ToolResult.text("");
                    }
                };
        var nested =
                new Call(
                        ANNA,
                        Door.SANDBOX,
                        TraceContext.fresh(),
                        ReplyMode.INLINE,
                        Set.of(),
                        CallNotes.nestedIn(
                                new NestedIn(RUN, numbers.incrementAndGet(), Optional.of(PLACE))),
                        ClientMessages.NONE,
                        Conversation.NONE);
        try {
            TestBroker.of(List.of(tool), calls, Clock.systemUTC())
                    .call(nested, "github__find", arguments);
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
    }

    private UpstreamCall last(UpstreamCalls calls) {
        return calls.ofExecution(RUN, numbers.get() - 1, 1).getFirst();
    }

    @ParameterizedTest(name = "{0}, sent: {1}, booted since: {2}")
    @CsvSource({
        "READ, no, no, not_sent",
        "READ, yes, no, unknown",
        "READ, no, yes, not_sent",
        "READ, yes, yes, unknown",
        "WRITE, no, no, not_sent",
        "WRITE, yes, no, unknown",
        "WRITE, no, yes, unknown",
        "WRITE, yes, yes, unknown",
        "UNKNOWN, no, no, not_sent",
        "UNKNOWN, no, yes, unknown",
    })
    void a_call_that_was_sent_may_have_happened_and_one_that_was_not_did_not(
            ToolEffect effect, String sent, String booted, String state) {
        var calls = calls(NOW);
        var settled = new ArrayList<UpstreamCall>();
        call(
                calls,
                effect,
                Json.object().put("text", "x").put("password", "geheim"),
                call -> {
                    if (sent.equals("yes")) {
                        call.notes().sends();
                    }
                    calls.close();
                    try (var next = calls(booted.equals("yes") ? "boot 2" : NOW)) {
                        assertThat(next.settleAbandoned()).isEqualTo(1);
                        settled.add(last(next));
                        assertThat(next.settleAbandoned()).isZero();
                    }
                });
        var one = settled.getFirst();
        assertThat(one.state().word()).isEqualTo(state);
        assertThat(one.id()).isEqualTo("exe_1.1");
        assertThat(one.error()).contains("stopped");
        assertThat(one.failed().isPresent()).isEqualTo(one.state() == State.NOT_SENT);
        assertThat(one.at()).contains(PLACE);
        assertThat(one.upstream() + "." + one.tool()).isEqualTo("github.find");
        assertThat(one.caller()).isEqualTo("anna");
        assertThat(one.effect()).isEqualTo(effect.word());
        assertThat(Json.text(one.arguments().orElseThrow()))
                .isEqualTo("{\"text\":\"x\",\"password\":\"[REDACTED]\"}");
        assertThat(one.asked())
                .contains(new UpstreamCall.Asked("find-it", Door.SANDBOX, true, Optional.empty()));
    }

    @Test
    void a_call_that_another_server_gave_up_is_settled_by_who_knows_it() {
        var calls = calls(NOW);
        call(
                calls,
                ToolEffect.WRITE,
                Json.object(),
                _ -> {
                    var far = data.resolve("elsewhere");
                    assertThat(far.toFile().mkdir()).isTrue();
                    var other = UpstreamCallsTest.noting(store, far);
                    assertThat(other.settleAbandoned()).isEqualTo(1);
                    assertThat(last(other).state()).isEqualTo(State.UNKNOWN);
                    other.close();

                    calls.close();
                    try (var next = calls(NOW)) {
                        next.settleAbandoned();
                        assertThat(last(next).state()).isEqualTo(State.NOT_SENT);
                    }
                });
    }

    @Test
    void a_call_that_ended_stays_as_it_did() {
        var calls = calls(NOW);
        var left = new Intents(data, NOW);
        call(calls, ToolEffect.WRITE, Json.object(), call -> call.notes().sends());
        var done = last(calls);
        assertThat(done.state()).isEqualTo(State.DONE);
        left.note(done).orElseThrow().sends();
        left.close();

        calls.settleAbandoned();
        assertThat(last(calls)).isEqualTo(done);
        calls.close();
    }

    @Test
    void nothing_of_a_call_stays_in_the_file() throws IOException {
        var calls = calls(NOW);
        call(
                calls,
                ToolEffect.READ,
                Json.object().put("text", "needle"),
                _ -> assertThat(file()).contains("needle"));
        assertThat(last(calls).state()).isEqualTo(State.DONE);
        assertThat(file()).doesNotContain("needle");
        calls.close();
        assertThat(data).isEmptyDirectory();
    }

    private String file() {
        try (var files = Files.newDirectoryStream(data, "calls-*.pending")) {
            return Files.readString(files.iterator().next(), StandardCharsets.ISO_8859_1);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void a_call_with_long_arguments_is_in_the_database_before_it_is_made() {
        var text = "x".repeat(Intents.SLOT_BYTES);
        for (int length : List.of(1, Intents.SLOT_BYTES)) {
            var calls = calls(NOW);
            call(
                    calls,
                    ToolEffect.READ,
                    Json.object().put("text", text.substring(0, length)),
                    _ -> {
                        assertThat(calls.ofExecution(RUN, numbers.get() - 1, 1))
                                .hasSize(length == 1 ? 0 : 1);
                        calls.close();
                        try (var next = calls(NOW)) {
                            next.settleAbandoned();
                            assertThat(last(next).state()).isEqualTo(State.NOT_SENT);
                            assertThat(last(next).arguments().orElseThrow().get("text"))
                                    .hasToString("\"" + text.substring(0, length) + "\"");
                        }
                    });
        }
    }

    @Test
    void calls_beyond_the_room_of_the_file_wait_for_the_database() {
        var calls = calls(NOW);
        call(calls, ToolEffect.READ, Json.object(), _ -> {});
        var some = last(calls);
        calls.close();

        var full = new Intents(data, NOW);
        var noted = new ArrayList<Intents.Noted>();
        for (int slot = 0; slot < Intents.SLOTS; slot++) {
            noted.add(full.note(some).orElseThrow());
        }
        assertThat(full.note(some)).isEmpty();
        noted.removeLast().settled();
        noted.add(full.note(some).orElseThrow());

        var beyond = UpstreamCallsTest.noting(store, full);
        call(
                beyond,
                ToolEffect.READ,
                Json.object(),
                call -> {
                    call.notes().sends();
                    assertThat(last(beyond).state()).isEqualTo(State.INTENDED);
                    beyond.settleAbandoned();
                    assertThat(last(beyond).state()).isEqualTo(State.UNKNOWN);
                });
        assertThat(last(beyond).state()).isEqualTo(State.DONE);
        noted.forEach(Intents.Noted::settled);
        beyond.close();
        assertThat(data).isEmptyDirectory();
    }
}
