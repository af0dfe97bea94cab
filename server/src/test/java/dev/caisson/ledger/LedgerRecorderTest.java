package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.TestBroker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Every call through the broker leaves one entry, however it ends.
@Timeout(60)
final class LedgerRecorderTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);
    private static final KeyedDigest DIGEST = new KeyedDigest(new byte[] {1});
    private static final Caller ANNA = new Caller("anna", "Anna", Set.of(), Set.of("core"));
    private static final Call CALL = FakeCall.by(ANNA);

    private static final ToolSpec.Hints READ_ONLY = new ToolSpec.Hints(true, false, true, false);

    @TempDir Path directory;
    private Store store;
    private Ledger ledger;

    @BeforeEach
    void open() {
        store = Store.open(directory.resolve("caisson.db"));
        ledger = new Ledger(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private interface Behaviour {
        ToolResult answer(Call call) throws InterruptedException;
    }

    private static Tool tool(Behaviour behaviour) {
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return ToolSpec.named("work", "Work", "Works.").alsoCalled("old.work").build();
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
                return behaviour.answer(call);
            }
        };
    }

    private static Broker broker(Behaviour behaviour, CallRecorder recorder) {
        return TestBroker.of(List.of(tool(behaviour)), recorder, CLOCK);
    }

    private Entry entryOf(Behaviour behaviour, String name, ObjectNode arguments) {
        var broker = broker(behaviour, new LedgerRecorder(ledger, DIGEST, true));
        var _ = catchThrowable(() -> broker.call(CALL, name, arguments));
        var entries = ledger.page(LedgerFilter.ALL, OptionalLong.empty(), 10).entries();
        return entries.getFirst().entry();
    }

    private Entry entryOf(Behaviour behaviour) {
        return entryOf(behaviour, "work", Json.object());
    }

    @Test
    void an_answered_call_is_recorded_with_sizes_and_hashes() {
        var entry =
                entryOf(
                        call -> {
                            call.notes().ranCode("sha256:cc");
                            call.notes().redacted(2);
                            call.notes().redacted(1);
                            call.notes().approval("approved");
                            return ToolResult.text("zwölf");
                        },
                        "old.work",
                        Json.object());
        assertThat(entry.at()).isEqualTo(NOON);
        assertThat(entry.caller()).isEqualTo("anna");
        assertThat(entry.door()).isEqualTo("inside");
        assertThat(entry.tool()).isEqualTo("work");
        assertThat(entry.argumentsHash())
                .isEqualTo(DIGEST.of("anna", "{}".getBytes(StandardCharsets.UTF_8)));
        assertThat(entry.codeHash()).contains("sha256:cc");
        assertThat(entry.resultBytes()).isEqualTo(6);
        assertThat(entry.status()).isEqualTo("success");
        assertThat(entry.approval()).contains("approved");
        assertThat(entry.redactions()).isEqualTo(3);
        assertThat(entry.traceId()).isEqualTo(CALL.trace().id().value());
        assertThat(entry.duration().isNegative()).isFalse();
    }

    @Test
    void every_ending_has_its_word() {
        assertThat(entryOf(_ -> ToolResult.failure("no")).status()).isEqualTo("failed");
        assertThat(
                        entryOf(
                                        _ -> {
                                            throw new Refusal(Reason.CONFLICT, "busy");
                                        })
                                .status())
                .isEqualTo("refused:conflict");
        assertThat(
                        entryOf(
                                        _ -> {
                                            throw new InterruptedException();
                                        })
                                .status())
                .isEqualTo("cancelled");
        assertThat(
                        entryOf(
                                        _ -> {
                                            throw new IllegalStateException("bug");
                                        })
                                .status())
                .isEqualTo("fault");
        assertThat(ledger.verify(Optional.empty()).entries()).isEqualTo(4);
    }

    @Test
    void a_call_that_is_refused_before_it_reaches_the_tool_is_recorded_too() {
        var unknown =
                entryOf(
                        _ -> ToolResult.text(""),
                        "no\u0000such\ud800" + "x".repeat(500),
                        Json.object());
        assertThat(unknown.status()).isEqualTo("refused:unknown_tool");
        assertThat(unknown.tool())
                .startsWith("no\ufffdsuch\ufffd")
                .hasSize(LedgerRecorder.TOOL_LENGTH_MAX);
        assertThat(ledger.verify(Optional.empty()).intact()).isTrue();
    }

    @Test
    void a_tool_left_in_the_middle_of_a_question_is_not_a_fault() {
        var asking = FakeCall.by(ANNA);
        var broker =
                broker(
                        call -> {
                            call.conversation().ask(Map.of());
                            return ToolResult.text("");
                        },
                        new LedgerRecorder(ledger, DIGEST, true));
        assertThatThrownBy(() -> broker.call(asking, "work", Json.object()))
                .hasMessage("answered later");
        assertThat(
                        ledger.page(LedgerFilter.ALL, OptionalLong.empty(), 1)
                                .entries()
                                .getFirst()
                                .entry()
                                .status())
                .isEqualTo("input_required");
    }

    @Test
    void there_is_no_answer_without_a_record_and_a_failing_recorder_is_asked_once() {
        var asked = new int[1];
        var broker =
                broker(
                        _ -> ToolResult.text("done"),
                        _ -> {
                            asked[0]++;
                            throw new IllegalStateException("the disk is full");
                        });
        assertThatThrownBy(() -> broker.call(FakeCall.by(ANNA), "work", Json.object()))
                .hasMessage("the disk is full");
        assertThat(asked[0]).isEqualTo(1);
    }

    @Test
    void no_call_waits_for_the_database_and_all_have_their_entries_there() throws Exception {
        var journaled = JournaledLedger.in(store, directory);
        ledger = journaled.ledger();
        var recorder = new LedgerRecorder(ledger, DIGEST, false);
        var reading =
                broker(
                        ToolSpec.named("read", "Read", "Reads.").hinted(READ_ONLY).build(),
                        recorder);
        var changing = broker(ToolSpec.named("work", "Work", "Works.").build(), recorder);
        var free = new CountDownLatch(1);
        var inside = new CountDownLatch(1);
        var busy = Thread.ofVirtual().start(() -> store.write(_ -> awaited(inside, free)));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        try {
            reading.call(FakeCall.by(ANNA), "read", Json.object());
            changing.call(FakeCall.by(ANNA), "work", Json.object());
            assertThat(store.read(LedgerRows::head)).isEqualTo(LedgerHead.NONE);
            free.countDown();
            assertThat(ledger.head().sequence()).isEqualTo(2);
        } finally {
            free.countDown();
            busy.join();
            journaled.close();
        }
    }

    private static boolean awaited(CountDownLatch inside, CountDownLatch free) {
        inside.countDown();
        try {
            return free.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            return false;
        }
    }

    private static Broker broker(ToolSpec spec, CallRecorder recorder) {
        Tool tool =
                new Tool() {
                    @Override
                    public ToolSpec spec() {
                        return spec;
                    }

                    @Override
                    public ToolResult call(Call call, ObjectNode arguments) {
                        return ToolResult.text("done");
                    }
                };
        return TestBroker.of(List.of(tool), recorder, CLOCK);
    }
}
