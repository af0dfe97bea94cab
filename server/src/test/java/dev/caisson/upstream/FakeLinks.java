package dev.caisson.upstream;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.LinkState;
import dev.caisson.upstream.connection.UpstreamFailure;
import dev.caisson.upstream.connection.UpstreamResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// Links to upstreams that are only a list of definitions and an answer.
final class FakeLinks implements UpstreamLink.Maker {
    /// A call as the upstream got it.
    record Called(String upstream, String tool, ObjectNode arguments, CallOptions options) {}

    final Map<String, List<ObjectNode>> tools = new ConcurrentHashMap<>();
    final Map<String, Runnable> listWanted = new ConcurrentHashMap<>();
    final List<Called> calls = new CopyOnWriteArrayList<>();
    final AtomicInteger lists = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger restarts = new AtomicInteger();
    volatile LinkState state = LinkState.READY;
    volatile ObjectNode answer = text("done");

    /// Of the next calls, one each.
    final Queue<UpstreamFailure> failures = new ConcurrentLinkedQueue<>();

    volatile Optional<UpstreamFailure> failure = Optional.empty();

    static ObjectNode text(String text) {
        var result = Json.object();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    static ObjectNode tool(String name, String description) {
        var tool = Json.object().put("name", name).put("description", description);
        var schema = tool.putObject("inputSchema").put("type", "object");
        schema.putObject("properties").putObject("q").put("type", "string");
        return tool;
    }

    void offer(String upstream, ObjectNode... some) {
        tools.put(upstream, List.of(some));
    }

    @Override
    public UpstreamLink open(
            UpstreamSettings settings,
            CredentialValues credentials,
            Optional<Era> era,
            Runnable wanted) {
        open.incrementAndGet();
        listWanted.put(settings.id(), wanted);
        return new UpstreamLink() {
            @Override
            public LinkState state() {
                return state;
            }

            @Override
            public Optional<String> trouble() {
                return Optional.empty();
            }

            @Override
            public Optional<Era> era() {
                return Optional.of(Era.MODERN);
            }

            @Override
            public long dropped() {
                return 0;
            }

            @Override
            public List<ObjectNode> listTools(Deadline deadline) throws UpstreamFailure {
                lists.incrementAndGet();
                connect();
                var listed = tools.get(settings.id());
                if (listed == null) {
                    throw new UpstreamFailure(
                            ToolErrorType.UPSTREAM_UNAVAILABLE, false, "Nobody listens.");
                }
                return new ArrayList<>(listed);
            }

            private void connect() {
                credentials.headers();
                credentials.env();
            }

            @Override
            public UpstreamResult callTool(
                    String caller, String tool, ObjectNode arguments, CallOptions options)
                    throws UpstreamFailure {
                connect();
                calls.add(new Called(settings.id(), tool, arguments, options));
                var first = failures.poll();
                if (first != null) {
                    throw first;
                }
                if (failure.isPresent()) {
                    throw failure.get();
                }
                return new UpstreamResult(answer);
            }

            @Override
            public UpstreamResult readResource(String caller, String uri, CallOptions options)
                    throws UpstreamFailure {
                return callTool(caller, "resources/read", Json.object().put("uri", uri), options);
            }

            @Override
            public void restart() {
                restarts.incrementAndGet();
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }
}
