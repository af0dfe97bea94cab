package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/// An upstream may ask before it answers, and work on a call as a task, over every transport.
@Timeout(120)
final class CallDialogueTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String FORM =
            "{\"message\":\"Which?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}}";

    private final OutgoingHttp http = new OutgoingHttp(Set.of("127.0.0.1"));
    private final ArrayList<AutoCloseable> open = new ArrayList<>();
    private final Person person = new Person();

    /// Who answers every form with its message.
    private static final class Person implements CallDialogue {
        final List<String> tasks = new CopyOnWriteArrayList<>();
        final List<ObjectNode> forms = new CopyOnWriteArrayList<>();
        volatile boolean there = true;
        volatile boolean wantsTask;

        @Override
        public boolean answers() {
            return true;
        }

        @Override
        public boolean wantsTask() {
            return wantsTask;
        }

        @Override
        public void becameTask(String id) {
            tasks.add(id);
        }

        @Override
        public ObjectNode fill(ObjectNode params) throws Unanswered {
            forms.add(params);
            if (!there) {
                throw new Unanswered();
            }
            var answer = Json.object().put("action", "accept");
            answer.putObject("content").put("a", params.path("message").stringValue());
            return answer;
        }

        @Override
        public InputRound fill(ObjectNode requests, Optional<String> state) throws Unanswered {
            var responses = Json.object();
            for (var each : requests.properties()) {
                responses.set(each.getKey(), fill((ObjectNode) each.getValue().path("params")));
            }
            return new InputRound(responses, state);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
        http.close();
    }

    private Connection connect(Way way, FakeUpstream upstream) throws Exception {
        return way.connect(
                upstream, new Way.Parts(http, new ReadBudget(64L << 20), 1 << 20, true, open));
    }

    private CallOptions options() {
        return CallOptions.reading(Deadline.in(SOON)).answeredBy(person);
    }

    private UpstreamFailure failure(Connection connection, CallOptions options) {
        return catchThrowableOfType(
                UpstreamFailure.class, () -> connection.callTool("run", Json.object(), options));
    }

    private static String text(UpstreamResult result) {
        return result.content().at("/0/text").stringValue("");
    }

    /// Asks, and answers the call when it has the answer.
    private static final class Asking implements FakeUpstream.Part {
        private final CountDownLatch answered = new CountDownLatch(1);
        private final FakeUpstream upstream = new FakeUpstream(this);

        @Override
        public void called(ObjectNode call, FakeUpstream.Out out)
                throws IOException, InterruptedException {
            out.send(
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":"
                            + FORM
                            + "}");
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            answer(call, out);
                            answered.countDown();
                        } catch (IOException | InterruptedException gone) {
                            // The test sees that no answer comes.
                        }
                    });
            if (out.getClass().getName().contains("FakeHttp")) {
                answered.await();
            }
        }

        private void answer(ObjectNode call, FakeUpstream.Out out)
                throws IOException, InterruptedException {
            CallDialogueTest.await(() -> reply().isPresent());
            var reply = reply().orElseThrow();
            out.send(
                    reply.has("error")
                            ? FakeUpstream.result(
                                    call,
                                    "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no form\"}]}")
                            : FakeUpstream.text(
                                    call, reply.at("/result/content/a").stringValue("?")));
        }

        private Optional<ObjectNode> reply() {
            return upstream.heard().stream()
                    .filter(each -> each.path("id").intValue(0) == 7)
                    .findFirst();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = Deadline.in(SOON);
        while (!condition.getAsBoolean()) {
            assertThat(deadline.isOver()).isFalse();
            Thread.sleep(10);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_EVENTS", "SSE", "STDIO"})
    void a_form_in_the_middle_of_an_answer_is_filled_in(Way way) throws Exception {
        var asking = new Asking();
        var connection = connect(way, asking.upstream);
        assertThat(text(connection.callTool("run", Json.object(), options()))).isEqualTo("Which?");
        assertThat(
                        asking.upstream.heard().stream()
                                .filter(each ->
                                        each.path("method").asString("").equals("initialize"))
                                .map(each -> each.at("/params/capabilities/elicitation/form")))
                .singleElement()
                .satisfies(form -> assertThat(form.isObject()).isTrue());
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_EVENTS", "SSE", "STDIO"})
    void a_form_that_nobody_fills_in_is_refused(Way way) throws Exception {
        person.there = false;
        var asking = new Asking();
        var connection = connect(way, asking.upstream);
        var result = connection.callTool("run", Json.object(), options());
        assertThat(result.isError()).isTrue();
        assertThat(text(result)).isEqualTo("no form");
    }

    @ParameterizedTest
    @EnumSource(names = {"SSE", "STDIO"})
    void a_form_that_may_be_for_one_of_two_is_for_none(Way way) throws Exception {
        var calls = new CopyOnWriteArrayList<ObjectNode>();
        var upstream =
                new FakeUpstream((call, out) -> {
                    calls.add(call);
                    if (calls.size() == 2) {
                        out.send(
                                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":"
                                        + FORM
                                        + "}");
                        for (var each : calls) {
                            out.send(FakeUpstream.text(each, "ok"));
                        }
                    }
                });
        var connection = connect(way, upstream);
        var first = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        first.complete(text(connection.callTool("run", Json.object(), options())));
                    } catch (UpstreamFailure | InterruptedException failed) {
                        first.completeExceptionally(failed);
                    }
                });
        await(() -> calls.size() == 1);
        assertThat(text(connection.callTool("run", Json.object(), options()))).isEqualTo("ok");
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("ok");
        assertThat(person.forms).isEmpty();
        await(() -> upstream.heard().stream().anyMatch(each -> each.has("error")));
    }

    private static final String ROUND =
            "{\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":%s}}%s}";

    @ParameterizedTest
    @EnumSource(names = {"MODERN_JSON", "MODERN_EVENTS", "MODERN_STDIO"})
    void rounds_of_the_newest_era_go_on_with_answers_and_state(Way way) throws Exception {
        var upstream =
                new FakeUpstream((call, out) -> {
                    var said = call.at("/params/inputResponses/k/content/a");
                    var state = call.at("/params/requestState").stringValue("");
                    out.send(
                            state.equals("s2")
                                    ? FakeUpstream.text(call, said.stringValue(""))
                                    : FakeUpstream.result(
                                            call,
                                            ROUND.formatted(
                                                    FORM,
                                                    ",\"requestState\":\""
                                                            + (state.isEmpty() ? "s1" : "s2")
                                                            + "\"")));
                });
        var connection = connect(way, upstream);
        assertThat(text(connection.callTool("run", Json.object(), options()))).isEqualTo("Which?");
        assertThat(person.forms).hasSize(2);
        var calls =
                upstream.heard().stream()
                        .filter(each -> each.path("method").stringValue("").equals("tools/call"))
                        .toList();
        assertThat(calls.stream().map(each -> each.path("id")).distinct()).hasSize(3);
        assertThat(
                        calls.getFirst()
                                .at(
                                        "/params/_meta/io.modelcontextprotocol~1clientCapabilities/elicitation/form")
                                .isObject())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"MODERN_JSON", "MODERN_STDIO"})
    void rounds_without_end_and_without_anybody_end(Way way) throws Exception {
        var rounds = new AtomicInteger();
        var connection =
                connect(
                        way,
                        new FakeUpstream((call, out) -> {
                            rounds.incrementAndGet();
                            out.send(FakeUpstream.result(call, ROUND.formatted(FORM, "")));
                        }));
        assertThat(failure(connection, options()).type()).isEqualTo(ToolErrorType.INPUT_REQUIRED);
        assertThat(rounds).hasValue(PendingAnswers.QUESTIONS_MAX + 1);
        person.there = false;
        assertThat(failure(connection, options()).type()).isEqualTo(ToolErrorType.INPUT_REQUIRED);
        assertThat(failure(connection, CallOptions.reading(Deadline.in(SOON))).type())
                .isEqualTo(ToolErrorType.INPUT_REQUIRED);
    }

    /// Works on each call as a task, in the words of either era.
    private static FakeUpstream tasks(AtomicInteger working, String end, boolean modern) {
        return new FakeUpstream((message, out) -> {
            var method = message.path("method").stringValue("");
            var id = message.at("/params/taskId").stringValue("t-1");
            var state = working.getAndDecrement() > 0 ? "working" : end;
            var task =
                    "\"taskId\":\"%s\",\"status\":\"%s\",\"pollInterval\":1,\"pollIntervalMs\":1"
                            .formatted(id, method.equals("tools/call") ? "working" : state);
            var done = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";
            out.send(
                    switch (method) {
                        case "tools/call" ->
                                FakeUpstream.result(
                                        message,
                                        modern
                                                ? "{\"resultType\":\"task\"," + task + "}"
                                                : "{\"task\":{" + task + "}}");
                        case "tasks/get" ->
                                FakeUpstream.result(
                                        message,
                                        "{"
                                                + task
                                                + (modern && state.equals("completed")
                                                        ? ",\"result\":" + done
                                                        : "")
                                                + (modern && state.equals("failed")
                                                        ? ",\"error\":{\"code\":-32603,\"message\":\"broke\"}"
                                                        : "")
                                                + "}");
                        default ->
                                state.equals("failed")
                                        ? FakeUpstream.error(message, -32603, "broke")
                                        : FakeUpstream.result(message, done);
                    });
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_task_is_asked_for_until_it_has_a_result(Way way) throws Exception {
        person.wantsTask = true;
        var upstream = tasks(new AtomicInteger(4), "completed", way.isModern());
        var connection = connect(way, upstream);
        assertThat(text(connection.callTool("run", Json.object(), options()))).isEqualTo("done");
        assertThat(person.tasks).containsExactly("t-1");
        var call =
                upstream.heard().stream()
                        .filter(each -> each.path("method").stringValue("").equals("tools/call"))
                        .findFirst()
                        .orElseThrow();
        assertThat(call.at("/params/task/ttl").isIntegralNumber()).isEqualTo(!way.isModern());
        assertThat(upstream.methods()).contains("tasks/get").doesNotContain("tasks/cancel");
    }

    @ParameterizedTest
    @EnumSource
    void a_task_that_fails_is_a_failed_call(Way way) throws Exception {
        var failed = connect(way, tasks(new AtomicInteger(2), "failed", way.isModern()));
        assertThat(failure(failed, options()).sentence()).contains("broke");
        assertThat(failure(failed, options()).type()).isEqualTo(ToolErrorType.TOOL_FAILED);
        var cancelled = connect(way, tasks(new AtomicInteger(2), "cancelled", way.isModern()));
        assertThat(failure(cancelled, options()).type()).isEqualTo(ToolErrorType.TOOL_FAILED);
        assertThat(failure(cancelled, options().thatChanges()).type())
                .isEqualTo(ToolErrorType.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void a_task_without_end_ends_with_the_time_of_the_call_and_is_cancelled(Way way)
            throws Exception {
        var upstream = tasks(new AtomicInteger(Integer.MAX_VALUE), "completed", way.isModern());
        var connection = connect(way, upstream);
        var late =
                failure(
                        connection,
                        CallOptions.reading(Deadline.in(Duration.ofSeconds(1))).answeredBy(person));
        assertThat(late.type()).isEqualTo(ToolErrorType.TIMEOUT);
        await(() -> upstream.methods().contains("tasks/cancel"));
        var unknown =
                failure(
                        connection,
                        CallOptions.reading(Deadline.in(Duration.ofSeconds(1)))
                                .answeredBy(person)
                                .thatChanges());
        assertThat(unknown.type()).isEqualTo(ToolErrorType.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void a_call_that_is_cancelled_cancels_its_task(Way way) throws Exception {
        var upstream = tasks(new AtomicInteger(Integer.MAX_VALUE), "completed", way.isModern());
        var connection = connect(way, upstream);
        var ended = new CompletableFuture<Throwable>();
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                connection.callTool("run", Json.object(), options());
                                ended.complete(new AssertionError("it ended"));
                            } catch (UpstreamFailure | InterruptedException failed) {
                                ended.complete(failed);
                            }
                        });
        await(() -> upstream.methods().contains("tasks/get"));
        caller.interrupt();
        assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        await(() -> upstream.methods().contains("tasks/cancel"));
    }
}
