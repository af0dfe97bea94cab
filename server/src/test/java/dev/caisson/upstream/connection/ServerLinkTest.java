package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A link starts once for all who need it, stops when nobody does, and leaves an upstream that
/// fails alone.
@Timeout(120)
class ServerLinkTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicInteger starts = new AtomicInteger();
    private final List<FakeStdio> processes = new CopyOnWriteArrayList<>();
    private final AtomicBoolean fails = new AtomicBoolean();
    private final Semaphore gate = new Semaphore(0);
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final ArrayList<ServerLink> links = new ArrayList<>();

    private final FakeUpstream upstream =
            new FakeUpstream((call, out) -> {
                var word = call.path("params").path("arguments").path("word").stringValue("");
                switch (word) {
                    case "wait" -> {
                        order.add(word);
                        Thread.ofVirtual()
                                .start(() -> {
                                    gate.acquireUninterruptibly();
                                    try {
                                        out.send(FakeUpstream.text(call, "waited"));
                                    } catch (IOException gone) {
                                        throw new UncheckedIOException(gone);
                                    }
                                });
                    }
                    case "garble" -> out.send("{");
                    case "die" -> throw new IOException("dead");
                    default -> {
                        order.add(word);
                        out.send(FakeUpstream.text(call, word));
                    }
                }
            });

    @AfterEach
    void close() {
        links.forEach(ServerLink::close);
    }

    private ServerLink link(int concurrency, Duration idle, Duration silence) {
        var connector =
                new StdioConnector(
                        "fake",
                        () -> {
                            starts.incrementAndGet();
                            if (fails.get()) {
                                throw new UpstreamFailure(
                                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                                        false,
                                        "The upstream fake does not start.");
                            }
                            var process = new FakeStdio(upstream);
                            processes.add(process);
                            return process;
                        },
                        1 << 20,
                        new ReadBudget(1 << 20),
                        false);
        var link =
                new ServerLink(
                        new ServerLink.Terms("fake", concurrency, SOON, idle, silence),
                        connector,
                        Optional.of(Era.LEGACY));
        links.add(link);
        return link;
    }

    private static String call(ServerLink link, String caller, String word)
            throws UpstreamFailure, InterruptedException {
        return link.callTool(
                        caller,
                        "run",
                        Json.object().put("word", word),
                        CallOptions.reading(Deadline.in(SOON)))
                .content()
                .path(0)
                .path("text")
                .stringValue("");
    }

    private static CompletableFuture<String> later(ServerLink link, String caller, String word) {
        var each = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        each.complete(call(link, caller, word));
                    } catch (UpstreamFailure | InterruptedException failed) {
                        each.completeExceptionally(failed);
                    }
                });
        return each;
    }

    private static UpstreamFailure failure(ServerLink link, String word) {
        return catchThrowableOfType(UpstreamFailure.class, () -> call(link, "a", word));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = Deadline.in(SOON);
        while (!condition.getAsBoolean()) {
            assertThat(deadline.isOver()).isFalse();
            Thread.sleep(10);
        }
    }

    @Test
    void it_starts_with_the_first_call_and_once_for_all() throws Exception {
        var link = link(8, LONG, LONG);
        assertThat(link.state()).isEqualTo(LinkState.IDLE);
        var all = new ArrayList<CompletableFuture<String>>();
        for (var i = 0; i < 20; i++) {
            all.add(later(link, "a", "word-" + i));
        }
        for (var i = 0; i < 20; i++) {
            assertThat(all.get(i).get(30, TimeUnit.SECONDS)).isEqualTo("word-" + i);
        }
        assertThat(starts).hasValue(1);
        assertThat(link.state()).isEqualTo(LinkState.READY);
        assertThat(link.era()).contains(Era.LEGACY);
        assertThat(link.about().orElseThrow().name()).isEqualTo("fake");
    }

    @Test
    void without_calls_it_stops_and_the_next_call_starts_it() throws Exception {
        var link = link(8, Duration.ofMillis(400), LONG);
        assertThat(call(link, "a", "x")).isEqualTo("x");
        await(() -> link.state() == LinkState.IDLE);
        await(() -> processes.getFirst().stopped() > 0);
        assertThat(call(link, "a", "y")).isEqualTo("y");
        assertThat(starts).hasValue(2);
    }

    @Test
    void a_call_under_way_keeps_it_and_is_not_asked_after() throws Exception {
        var link = link(8, Duration.ofMillis(300), Duration.ofMillis(300));
        var waiting = later(link, "a", "wait");
        await(() -> order.contains("wait"));
        Thread.sleep(1_000);
        assertThat(upstream.methods()).doesNotContain("ping");
        assertThat(link.state()).isEqualTo(LinkState.READY);
        gate.release();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("waited");
    }

    @Test
    void one_that_is_silent_is_asked_whether_it_is_there() throws Exception {
        var link = link(8, LONG, Duration.ofMillis(200));
        call(link, "a", "x");
        await(() -> upstream.methods().stream().filter("ping"::equals).count() >= 2);
        assertThat(link.state()).isEqualTo(LinkState.READY);
    }

    @Test
    void one_that_fails_is_left_alone_for_a_while_and_then_for_long() throws Exception {
        fails.set(true);
        var link = link(8, LONG, LONG);
        assertThat(failure(link, "x").sentence()).contains("does not start");
        assertThat(link.state()).isEqualTo(LinkState.BACKING_OFF);
        assertThat(link.lastFailure()).contains("does not start");
        await(() -> {
            var failure = failure(link, "x");
            assertThat(failure.type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
            assertThat(failure.sent()).isFalse();
            return link.state() == LinkState.BROKEN;
        });
        int before = starts.get();
        assertThat(before).isEqualTo(BackOff.FAILURES_MAX);
        assertThat(failure(link, "x").sentence()).contains("tried again in");
        assertThat(starts).hasValue(before);

        fails.set(false);
        link.restart();
        assertThat(call(link, "a", "x")).isEqualTo("x");
    }

    @Test
    void a_caller_waits_for_the_end_of_a_short_back_off() throws Exception {
        var link = link(8, LONG, LONG);
        assertThat(failure(link, "die").type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
        assertThat(call(link, "a", "x")).isEqualTo("x");
        assertThat(starts).hasValue(2);
    }

    @Test
    void a_garbled_connection_is_made_anew_at_once_however_often() throws Exception {
        var link = link(8, LONG, LONG);
        for (var i = 0; i < BackOff.FAILURES_MAX + 2; i++) {
            assertThat(failure(link, "garble").type()).isEqualTo(ToolErrorType.TOOL_FAILED);
        }
        assertThat(call(link, "a", "x")).isEqualTo("x");
        assertThat(link.state()).isEqualTo(LinkState.READY);
    }

    @Test
    void callers_take_turns() throws Exception {
        var link = link(1, LONG, LONG);
        var first = later(link, "a", "wait");
        await(() -> order.contains("wait"));
        var all = new ArrayList<CompletableFuture<String>>();
        for (var i = 0; i < 5; i++) {
            all.add(later(link, "a", "a" + i));
            int waiting = i + 1;
            await(() -> link.waiting() == waiting);
        }
        all.add(later(link, "b", "b"));
        await(() -> link.waiting() == 6);
        gate.release();
        first.get(30, TimeUnit.SECONDS);
        for (var each : all) {
            each.get(30, TimeUnit.SECONDS);
        }
        assertThat(order.indexOf("b")).isLessThanOrEqualTo(2);
    }

    @Test
    void one_caller_alone_has_all_turns_and_no_more() throws Exception {
        for (int concurrency : List.of(1, 2, 8)) {
            var link = link(concurrency, LONG, LONG);
            order.clear();
            var all = new ArrayList<CompletableFuture<String>>();
            for (var i = 0; i < concurrency + 1; i++) {
                all.add(later(link, "a", "wait"));
            }
            await(() -> order.size() == concurrency && link.waiting() == 1);
            gate.release(concurrency + 1);
            for (var each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo("waited");
            }
            assertThat(link.waiting()).isZero();
        }
    }

    @Test
    void the_next_turn_that_is_free_goes_to_who_has_fewest() throws Exception {
        var turns = new CallTurns("fake", 4);
        var lent = new ArrayList<CallTurns.Held>();
        for (var i = 0; i < 4; i++) {
            lent.add(turns.take("a", Deadline.in(SOON)));
        }
        var came = new CopyOnWriteArrayList<String>();
        var held = new CopyOnWriteArrayList<CallTurns.Held>();
        int waiting = 0;
        for (var caller : List.of("a", "a", "a", "b", "b", "b", "c")) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            var turn = turns.take(caller, Deadline.in(SOON));
                            held.add(turn);
                            came.add(caller);
                        } catch (UpstreamFailure | InterruptedException unexpected) {
                            came.add("failed");
                        }
                    });
            int soFar = ++waiting;
            await(() -> turns.waiting() == soFar);
        }
        for (var i = 0; i < 4; i++) {
            lent.get(i).close();
            int soFar = i + 1;
            await(() -> came.size() == soFar);
        }
        // `a` gave back what it was lent until it had no more than the others.
        assertThat(came).containsExactly("b", "c", "a", "b");
        assertThat(turns.waiting()).isEqualTo(3);
        held.forEach(CallTurns.Held::close);
        await(() -> came.size() == 7 && turns.waiting() == 0);
    }

    @Test
    void no_more_than_the_limit_wait_and_who_has_most_gives_way() throws Exception {
        var link = link(1, LONG, LONG);
        var first = later(link, "a", "wait");
        await(() -> order.contains("wait"));
        var all = new ArrayList<CompletableFuture<String>>();
        for (var i = 0; i < CallTurns.WAITING_MAX; i++) {
            all.add(later(link, "a", "x"));
        }
        await(() -> link.waiting() == CallTurns.WAITING_MAX);
        assertThat(failure(link, "x").type()).isEqualTo(ToolErrorType.NO_CAPACITY);
        var other = later(link, "b", "b");
        await(() -> all.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
        gate.release();
        first.get(30, TimeUnit.SECONDS);
        assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("b");
        await(() -> all.stream().allMatch(CompletableFuture::isDone));
        assertThat(all.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(1);
    }

    @Test
    void waiting_for_a_turn_counts_into_the_time_of_a_call() throws Exception {
        var link = link(1, LONG, LONG);
        var first = later(link, "a", "wait");
        await(() -> order.contains("wait"));
        var failure =
                catchThrowableOfType(
                        UpstreamFailure.class,
                        () ->
                                link.callTool(
                                        "b",
                                        "run",
                                        Json.object(),
                                        CallOptions.reading(Deadline.in(Duration.ofMillis(300)))
                                                .thatChanges()));
        assertThat(failure.type()).isEqualTo(ToolErrorType.TIMEOUT);
        assertThat(failure.sent()).isFalse();
        gate.release();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("waited");
        assertThat(call(link, "a", "x")).isEqualTo("x");
    }

    @Test
    void a_closed_link_calls_nobody() throws Exception {
        var link = link(8, LONG, LONG);
        var waiting = later(link, "a", "wait");
        await(() -> order.contains("wait"));
        link.close();
        await(waiting::isCompletedExceptionally);
        assertThat(failure(link, "x").sentence()).contains("was removed");
        assertThat(processes.getFirst().stopped()).isPositive();
    }

    @Test
    void a_back_off_doubles_with_jitter_and_ends_in_a_rest() {
        var backOff = new BackOff();
        long now = 0;
        for (var i = 0; i < BackOff.FAILURES_MAX - 1; i++) {
            var wait = backOff.failed(now);
            assertThat(wait)
                    .isBetween(Duration.ofMillis(500L << i), Duration.ofMillis(1_000L << i));
        }
        assertThat(backOff.isBroken()).isFalse();
        assertThat(backOff.failed(now)).isEqualTo(BackOff.REST);
        assertThat(backOff.isBroken()).isTrue();
        backOff.forget();
        assertThat(backOff.failed(now)).isLessThanOrEqualTo(BackOff.FIRST);
    }

    @Test
    void failures_that_are_long_ago_do_not_count() {
        var backOff = new BackOff();
        for (var i = 0L; i < 20; i++) {
            var wait = backOff.failed(i * BackOff.WINDOW.toNanos() / 3);
            assertThat(wait).isLessThanOrEqualTo(BackOff.MOST);
        }
        assertThat(backOff.isBroken()).isFalse();
    }
}
