package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Tools of another server, made up: `hub`.
final class HubTools {
    /// How many calls of `meet` it takes for any of them to be answered.
    static final int MEETING = 4;

    final AtomicInteger waiting = new AtomicInteger();
    final AtomicInteger interrupted = new AtomicInteger();
    private final CyclicBarrier meeting = new CyclicBarrier(MEETING);

    List<Tool> all() {
        var tools = new ArrayList<Tool>();
        tools.add(tool("echo", Optional.empty(), arguments -> ToolResult.structured(arguments)));
        tools.add(tool("fail", Optional.empty(), _ -> ToolResult.failure("no such row: 7")));
        tools.add(
                tool(
                        "add",
                        Optional.of(
                                """
                                {"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
                                 "required":["a","b"],"additionalProperties":false}
                                """),
                        arguments ->
                                ToolResult.structured(
                                        Json.object()
                                                .put(
                                                        "sum",
                                                        arguments.get("a").intValue()
                                                                + arguments.get("b").intValue()))));
        tools.add(tool("meet", Optional.empty(), _ -> met()));
        tools.add(tool("wait", Optional.empty(), _ -> waited()));
        tools.add(
                tool(
                        "picture",
                        Optional.empty(),
                        _ ->
                                new ToolResult(
                                        List.of(new Content.Image("aGVsbG8=", "image/png")),
                                        Optional.empty(),
                                        false)));
        tools.add(resource());
        return tools;
    }

    private static Tool resource() {
        return tool(
                "resources_read",
                ToolOrigin.RESOURCE_READ,
                Json.object().put("type", "object"),
                arguments ->
                        new ToolResult(
                                List.of(
                                        new Content.Embedded(
                                                new ResourceContents.Text(
                                                        arguments.get("uri").stringValue(),
                                                        "text/plain",
                                                        "read"))),
                                Optional.empty(),
                                false));
    }

    private ToolResult met() throws InterruptedException {
        try {
            meeting.await(30, TimeUnit.SECONDS);
            return ToolResult.text("met");
        } catch (java.util.concurrent.BrokenBarrierException
                | java.util.concurrent.TimeoutException alone) {
            return ToolResult.failure("nobody came");
        }
    }

    private ToolResult waited() throws InterruptedException {
        waiting.incrementAndGet();
        try {
            TimeUnit.MINUTES.sleep(5);
            return ToolResult.text("never");
        } catch (InterruptedException ended) {
            interrupted.incrementAndGet();
            throw ended;
        }
    }

    /// What a tool does.
    private interface Body {
        ToolResult of(ObjectNode arguments) throws InterruptedException;
    }

    private static Tool tool(String name, Optional<String> schema, Body body) {
        Supplier<ObjectNode> anything = () -> Json.object().put("type", "object");
        return tool(
                name,
                name,
                schema.map(text -> (ObjectNode) Json.parse(text)).orElseGet(anything),
                body);
    }

    private static Tool tool(String name, String origin, ObjectNode schema, Body body) {
        var spec =
                ToolSpec.named("hub__" + name, name, "Does it.")
                        .taking(schema)
                        .hinted(ToolSpec.Hints.READS)
                        .from(new ToolOrigin("hub", name, name, origin, "", ToolEffect.READ, true))
                        .build();
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return spec;
            }

            @Override
            public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
                return body.of(arguments);
            }
        };
    }
}
