package dev.caisson.mcp;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.LogLevel;
import dev.caisson.call.Question;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// Tools that show what the protocol does to a call.
public final class TestTools {
    private interface Body {
        ToolResult call(Call call, ObjectNode arguments) throws InterruptedException;
    }

    private record BodyTool(ToolSpec spec, Body body) implements Tool {
        @Override
        public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
            return body.call(call, arguments);
        }
    }

    public final AtomicInteger started = new AtomicInteger();
    public final AtomicInteger stopped = new AtomicInteger();
    final CountDownLatch released = new CountDownLatch(1);

    public List<Tool> all() {
        return List.of(
                tool("echo", (_, arguments) -> ToolResult.text(Json.text(arguments))),
                tool("wait", (_, _) -> waiting()),
                tool("talk", (call, _) -> talking(call)),
                tool("ask", (call, _) -> asking(call)),
                tool("leave", (call, _) -> leaving(call)),
                tool("flood", (call, _) -> flooding(call)),
                tool(
                        "broken",
                        (_, _) -> {
                            throw new IllegalStateException("internals");
                        }),
                tool(
                        "busy",
                        (_, _) -> {
                            throw new Refusal(Reason.CONFLICT, "Somebody works on it.");
                        }),
                new BodyTool(
                        open("job").asTask(ToolSpec.TaskUse.OPTIONAL).build(),
                        (call, _) -> {
                            call.conversation().detach();
                            return waiting();
                        }),
                new BodyTool(mirrored(), (_, arguments) -> ToolResult.text(Json.text(arguments))),
                new BodyTool(
                        open("extra").in("extra").build(), (_, _) -> ToolResult.text("extra")));
    }

    private static Tool tool(String name, Body body) {
        return new BodyTool(spec(name), body);
    }

    private static ToolSpec spec(String name) {
        return open(name).build();
    }

    private static ToolSpec.Builder open(String name) {
        return ToolSpec.named(name, name, "For tests.").taking(Json.object().put("type", "object"));
    }

    /// With arguments that headers repeat.
    private static ToolSpec mirrored() {
        var schema =
                "{\"type\":\"object\",\"properties\":{"
                        + "\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
                        + "\"count\":{\"type\":\"integer\",\"x-mcp-header\":\"Count\"}}}";
        return ToolSpec.of("mirrored", "mirrored", "For tests.", (ObjectNode) Json.parse(schema));
    }

    private ToolResult waiting() throws InterruptedException {
        started.incrementAndGet();
        try {
            released.await();
            return ToolResult.text("released");
        } catch (InterruptedException e) {
            stopped.incrementAndGet();
            throw e;
        }
    }

    private static ToolResult talking(Call call) {
        for (int n = 1; n <= 3; n++) {
            call.messages().progress(n, OptionalDouble.of(3), "step " + n);
            call.messages().log(LogLevel.INFO, "test", Json.tree("step " + n));
        }
        return ToolResult.text("done");
    }

    private static ToolResult asking(Call call) throws InterruptedException {
        var schema = Json.object().put("type", "object");
        schema.putObject("properties").putObject("name").put("type", "string");
        var answers = call.conversation().ask(Map.of("who", new Question.Form("Who?", schema)));
        return ToolResult.text(Json.text(Json.tree(answers)));
    }

    private ToolResult leaving(Call call) throws InterruptedException {
        call.conversation().releaseConnection(Duration.ofMillis(10));
        return waiting();
    }

    private static ToolResult flooding(Call call) {
        var text = Json.tree("x".repeat(100_000));
        for (int n = 0; n < 200; n++) {
            call.messages().log(LogLevel.ERROR, "test", text);
        }
        return ToolResult.text("the end");
    }
}
