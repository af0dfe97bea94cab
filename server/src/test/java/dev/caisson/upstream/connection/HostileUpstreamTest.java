package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/// What an upstream may try, over every transport: the caller gets its own answer or a failure that
/// says what happened, and memory and time stay bounded.
@Timeout(120)
class HostileUpstreamTest {
    private static final int RESULT_BYTES_MAX = 1 << 20;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(3);

    private final OutgoingHttp http = new OutgoingHttp(Set.of("127.0.0.1"));
    private final ReadBudget budget = new ReadBudget(64L << 20);
    private final ArrayList<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
        http.close();
    }

    private Connection connect(Way way, FakeUpstream.Part part) throws Exception {
        return connect(way, new FakeUpstream(part));
    }

    private Connection connect(Way way, FakeUpstream upstream) throws Exception {
        return way.connect(upstream, new Way.Parts(http, budget, RESULT_BYTES_MAX, false, open));
    }

    private static UpstreamResult call(Connection connection, Duration within)
            throws UpstreamFailure, InterruptedException {
        return connection.callTool("run", Json.object(), CallOptions.reading(Deadline.in(within)));
    }

    private static UpstreamFailure failure(Connection connection) {
        return catchThrowableOfType(UpstreamFailure.class, () -> call(connection, SOON));
    }

    private static UpstreamFailure changing(Connection connection, Duration within) {
        return catchThrowableOfType(
                UpstreamFailure.class,
                () ->
                        connection.callTool(
                                "run",
                                Json.object(),
                                CallOptions.reading(Deadline.in(within)).thatChanges()));
    }

    private static String textOf(UpstreamResult result) {
        return result.content().path(0).path("text").stringValue("");
    }

    @ParameterizedTest
    @EnumSource
    void one_that_behaves_is_the_control_for_all_others(Way way) throws Exception {
        var connection = connect(way, (call, out) -> out.send(FakeUpstream.text(call, "ok")));
        assertThat(connection.about().name()).isEqualTo("fake");
        for (var i = 0; i < 3; i++) {
            assertThat(textOf(call(connection, SOON))).isEqualTo("ok");
        }
        assertThat(connection.isOpen()).isTrue();
        assertThat(connection.dropped()).isZero();
        await(() -> budget.used() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void an_answer_above_the_limit_is_cut_off(Way way) throws Exception {
        var large = "x".repeat(RESULT_BYTES_MAX + 1);
        var connection = connect(way, (call, out) -> out.send(FakeUpstream.text(call, large)));
        assertThat(failure(connection).type()).isEqualTo(ToolErrorType.TOO_LARGE);
        // What else is on the same stream cannot be found any more.
        assertThat(connection.isOpen()).isEqualTo(!way.isOneStream());
        await(() -> budget.used() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void an_answer_of_nearly_the_limit_is_read(Way way) throws Exception {
        var large = "x".repeat(RESULT_BYTES_MAX - 4_096);
        var connection = connect(way, (call, out) -> out.send(FakeUpstream.text(call, large)));
        assertThat(textOf(call(connection, SOON))).hasSize(large.length());
    }

    @ParameterizedTest
    @EnumSource
    void an_answer_that_nests_without_end_is_no_answer(Way way) throws Exception {
        var deep = "[".repeat(100_000) + "]".repeat(100_000);
        var connection =
                connect(
                        way,
                        (call, out) ->
                                out.send(
                                        "{\"jsonrpc\":\"2.0\",\"id\":"
                                                + Json.text(call.path("id"))
                                                + ",\"result\":{\"content\":[],\"structuredContent\":"
                                                + deep
                                                + "}}"));
        assertThat(failure(connection).type()).isEqualTo(ToolErrorType.TOOL_FAILED);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"HTTP_JSON", "MODERN_JSON"},
            mode = EnumSource.Mode.EXCLUDE)
    void signs_of_life_alone_end_at_the_deadline(Way way) throws Exception {
        FakeUpstream.Part part =
                (call, out) -> {
                    while (true) {
                        out.send(progress(call));
                        Thread.sleep(50);
                    }
                };
        var reading = connect(way, part);
        var failure = catchThrowableOfType(UpstreamFailure.class, () -> call(reading, SHORT));
        assertThat(failure.type()).isEqualTo(ToolErrorType.TIMEOUT);
        assertThat(failure.sent()).isTrue();

        var unknown = changing(connect(way, part), SHORT);
        assertThat(unknown.type()).isEqualTo(ToolErrorType.OUTCOME_UNKNOWN);
        assertThat(unknown.sentence()).contains("Nobody knows");
    }

    private static String progress(ObjectNode call) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                + Json.text(call.path("id"))
                + ",\"progress\":1}}";
    }

    @ParameterizedTest
    @EnumSource(
            names = {"HTTP_JSON", "MODERN_JSON"},
            mode = EnumSource.Mode.EXCLUDE)
    void foreign_and_second_answers_are_dropped_and_counted(Way way) throws Exception {
        var connection =
                connect(
                        way,
                        (call, out) -> {
                            var foreign = FakeUpstream.text(call, "foreign");
                            foreign.put("id", "0123456789abcdef");
                            out.send(foreign);
                            foreign.put("id", 1);
                            out.send(foreign);
                            out.send(FakeUpstream.text(call, "own"));
                            out.send(FakeUpstream.text(call, "second"));
                        });
        assertThat(textOf(call(connection, SOON))).isEqualTo("own");
        assertThat(textOf(call(connection, SOON))).isEqualTo("own");
        await(() -> connection.dropped() == 6);
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_JSON", "MODERN_JSON"})
    void an_answer_to_another_request_is_none(Way way) throws Exception {
        var connection =
                connect(
                        way,
                        (call, out) -> {
                            var foreign = FakeUpstream.text(call, "foreign");
                            foreign.put("id", "0123456789abcdef");
                            out.send(foreign);
                        });
        assertThat(failure(connection).type()).isEqualTo(ToolErrorType.TOOL_FAILED);
        assertThat(connection.dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"HTTP_JSON", "MODERN_JSON"},
            mode = EnumSource.Mode.EXCLUDE)
    void what_it_asks_us_is_refused(Way way) throws Exception {
        var upstream =
                new FakeUpstream((call, out) -> {
                    out.send(
                            """
                            {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}\
                            """);
                    out.send(
                            """
                            {"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{}}\
                            """);
                    out.send(FakeUpstream.text(call, "ok"));
                });
        var connection = connect(way, upstream);
        assertThat(textOf(call(connection, SOON))).isEqualTo("ok");
        // Over HTTP the newest era has no way to answer a request of a server.
        await(() ->
                way.cancelsByEnd()
                        || upstream.heard().stream()
                                        .filter(each ->
                                                each.at("/error/code").intValue(0) == -32601)
                                        .count()
                                == 2);
        await(() -> connection.dropped() == 2);
    }

    @ParameterizedTest
    @EnumSource
    void what_asks_for_input_is_answered_by_nobody(Way way) throws Exception {
        for (var result :
                new String[] {
                    "{\"resultType\":\"input_required\",\"inputRequests\":{}}",
                }) {
            var connection =
                    connect(way, (call, out) -> out.send(FakeUpstream.result(call, result)));
            assertThat(failure(connection).type()).isEqualTo(ToolErrorType.INPUT_REQUIRED);
        }
        var url = connect(way, (call, out) -> out.send(FakeUpstream.error(call, -32042, "visit")));
        assertThat(failure(url).type()).isEqualTo(ToolErrorType.INPUT_REQUIRED);
    }

    @ParameterizedTest
    @EnumSource
    void what_is_no_message_fails_the_call_and_ends_the_connection(Way way) throws Exception {
        var broken =
                new String[] {
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[",
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"content\":[]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"n\":NaN}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"t\":\"\\ud800\"}}",
                    "{\"jsonrpc\":\"1.0\",\"id\":%s,\"result\":{\"content\":[]}}",
                    "[{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}]",
                    "<!DOCTYPE html>%s",
                };
        for (var text : broken) {
            var connection =
                    connect(
                            way,
                            (call, out) -> out.send(text.formatted(Json.text(call.path("id")))));
            var failure = failure(connection);
            assertThat(failure.type()).as(text).isEqualTo(ToolErrorType.TOOL_FAILED);
            assertThat(failure.sentence()).doesNotContain("DOCTYPE");
            assertThat(connection.isOpen()).as(text).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void bytes_that_are_no_utf_8_fail_the_call(Way way) throws Exception {
        for (var wrong :
                new byte[][] {
                    {(byte) 0xff},
                    {(byte) 0xc0, (byte) 0xaf},
                    {(byte) 0xed, (byte) 0xa0, (byte) 0x80}
                }) {
            var connection =
                    connect(
                            way,
                            (call, out) -> {
                                var text = Json.text(FakeUpstream.text(call, "@"));
                                int at = text.lastIndexOf('@');
                                var bytes = new ByteArrayOutputStream();
                                bytes.writeBytes(
                                        text.substring(0, at).getBytes(StandardCharsets.UTF_8));
                                bytes.writeBytes(wrong);
                                bytes.writeBytes(
                                        text.substring(at + 1).getBytes(StandardCharsets.UTF_8));
                                out.send(bytes.toByteArray());
                            });
            assertThat(failure(connection).type()).isEqualTo(ToolErrorType.TOOL_FAILED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_garbled_answer_to_a_change_says_that_nobody_knows(Way way) throws Exception {
        var connection = connect(way, (_, out) -> out.send("{"));
        assertThat(changing(connection, SOON).type()).isEqualTo(ToolErrorType.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void a_result_that_is_none_fails_the_call(Way way) throws Exception {
        for (var result :
                new String[] {"[]", "7", "{}", "{\"content\":7}", "{\"resultType\":\"task\"}"}) {
            var connection =
                    connect(way, (call, out) -> out.send(FakeUpstream.result(call, result)));
            assertThat(failure(connection).type()).as(result).isEqualTo(ToolErrorType.TOOL_FAILED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_error_is_the_tool_s_and_its_text_is_bounded(Way way) throws Exception {
        var connection =
                connect(
                        way,
                        (call, out) ->
                                out.send(FakeUpstream.error(call, -32602, "no".repeat(10_000))));
        var failure = failure(connection);
        assertThat(failure.type()).isEqualTo(ToolErrorType.TOOL_FAILED);
        assertThat(failure.sentence()).contains("nono").hasSizeLessThan(5_000);
        assertThat(connection.isOpen()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void a_list_has_an_end(Way way) throws Exception {
        var page = new AtomicInteger();
        var endless =
                connect(
                        way,
                        (call, out) ->
                                out.send(
                                        FakeUpstream.result(
                                                call,
                                                "{\"tools\":[],\"nextCursor\":\"%d\"}"
                                                        .formatted(page.incrementAndGet()))));
        assertThat(listFailure(endless).sentence()).contains("more than 100 pages");
        var same =
                connect(
                        way,
                        (call, out) ->
                                out.send(
                                        FakeUpstream.result(
                                                call, "{\"tools\":[],\"nextCursor\":\"a\"}")));
        assertThat(listFailure(same).sentence()).contains("same cursor twice");
    }

    @ParameterizedTest
    @EnumSource
    void how_long_a_list_counts_is_taken_within_bounds(Way way) throws Exception {
        for (var said : Map.of("1", 30L, "90000", 90L, "99999999999999", 86_400L).entrySet()) {
            var connection =
                    connect(
                            way,
                            (call, out) ->
                                    out.send(
                                            FakeUpstream.result(
                                                    call,
                                                    "{\"tools\":[],\"ttlMs\":%s}"
                                                            .formatted(said.getKey()))));
            connection.listTools(Deadline.in(SOON));
            assertThat(connection.listAge()).contains(Duration.ofSeconds(said.getValue()));
        }
        var silent =
                connect(
                        way,
                        (call, out) ->
                                out.send(
                                        FakeUpstream.result(
                                                call, "{\"tools\":[],\"ttlMs\":\"soon\"}")));
        silent.listTools(Deadline.in(SOON));
        assertThat(silent.listAge()).isEmpty();
    }

    private static UpstreamFailure listFailure(Connection connection) {
        return catchThrowableOfType(
                UpstreamFailure.class, () -> connection.listTools(Deadline.in(SOON)));
    }

    @ParameterizedTest
    @EnumSource
    void a_list_of_the_most_tools_is_read_and_one_more_is_not(Way way) throws Exception {
        var most = connect(way, listing(ToolPages.TOOLS_MAX));
        assertThat(most.listTools(Deadline.in(SOON))).hasSize(ToolPages.TOOLS_MAX);
        assertThat(listFailure(connect(way, listing(ToolPages.TOOLS_MAX + 1))).sentence())
                .contains("more than 2,000 tools");
    }

    private static FakeUpstream listing(int count) {
        var tools = "{\"name\":\"t\"},".repeat(count);
        return new FakeUpstream((call, out) ->
                out.send(
                        FakeUpstream.result(
                                call,
                                "{\"tools\":[" + tools.substring(0, tools.length() - 1) + "]}")));
    }

    @ParameterizedTest
    @EnumSource
    void a_list_that_is_none_is_refused(Way way) throws Exception {
        for (var result :
                new String[] {
                    "{}", "{\"tools\":{}}", "{\"tools\":[7]}", "{\"tools\":[],\"nextCursor\":7}"
                }) {
            var connection =
                    connect(way, (call, out) -> out.send(FakeUpstream.result(call, result)));
            assertThat(listFailure(connection).type())
                    .as(result)
                    .isEqualTo(ToolErrorType.TOOL_FAILED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_call_that_is_cancelled_ends_at_once_and_the_upstream_is_told(Way way) throws Exception {
        var called = new CountDownLatch(1);
        var upstream =
                new FakeUpstream((_, _) -> {
                    called.countDown();
                    if (!way.isOneStream()) {
                        Thread.sleep(60_000);
                    }
                });
        var connection = connect(way, upstream);
        var ended = new CompletableFuture<Throwable>();
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                ended.complete(new AssertionError(call(connection, SOON)));
                            } catch (UpstreamFailure | InterruptedException failed) {
                                ended.complete(failed);
                            }
                        });
        called.await();
        caller.interrupt();
        assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        // Over HTTP the newest era tells it by the end of the request.
        await(() -> way.cancelsByEnd() || upstream.methods().contains("notifications/cancelled"));
    }

    @ParameterizedTest
    @EnumSource
    void one_that_goes_while_it_is_asked_is_said_to_have_gone(Way way) throws Exception {
        FakeUpstream.Part gone =
                (_, _) -> {
                    throw new IOException("gone");
                };
        var reading = connect(way, gone);
        var failure = failure(reading);
        assertThat(failure.type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
        assertThat(failure.sent()).isTrue();
        assertThat(changing(connect(way, gone), SOON).type())
                .isEqualTo(ToolErrorType.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void calls_at_once_get_their_own_answers(Way way) throws Exception {
        var connection =
                connect(
                        way,
                        (call, out) ->
                                out.send(
                                        FakeUpstream.text(
                                                call,
                                                call.path("params")
                                                        .path("arguments")
                                                        .path("n")
                                                        .asString(""))));
        var all = new ArrayList<CompletableFuture<String>>();
        for (var i = 0; i < 50; i++) {
            var arguments = Json.object().put("n", i);
            var each = new CompletableFuture<String>();
            all.add(each);
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            each.complete(
                                    textOf(
                                            connection.callTool(
                                                    "run",
                                                    arguments,
                                                    CallOptions.reading(Deadline.in(SOON)))));
                        } catch (UpstreamFailure | InterruptedException failed) {
                            each.completeExceptionally(failed);
                        }
                    });
        }
        for (var i = 0; i < all.size(); i++) {
            assertThat(all.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(String.valueOf(i));
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = Deadline.in(SOON);
        while (!condition.getAsBoolean()) {
            assertThat(deadline.isOver()).isFalse();
            Thread.sleep(10);
        }
    }
}
