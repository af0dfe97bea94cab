package dev.caisson.rest.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Records;
import dev.caisson.ledger.ShownCall;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Route of the calls of other servers' tools that the program of an execution made.
public final class ToolCallRoutes {
    private final ExecutionRoutes executions;
    private final UpstreamCalls calls;

    public ToolCallRoutes(ExecutionRoutes executions, UpstreamCalls calls) {
        this.executions = executions;
        this.calls = calls;
    }

    /// Page of calls.
    public record ToolCallList(List<ShownCall> calls, Optional<String> nextCursor) {}

    public Response list(RouteRequest ask) {
        var record = executions.require(ask);
        var page = calls.ofExecution(record.id(), after(ask), Paging.limit(ask));
        var more =
                !page.isEmpty()
                        && !calls.ofExecution(record.id(), page.getLast().number(), 1).isEmpty();
        return Response.ok(
                Records.tree(
                        new ToolCallList(
                                page.stream().map(ShownCall::of).toList(),
                                more
                                        ? Optional.of(String.valueOf(page.getLast().number()))
                                        : Optional.empty())));
    }

    private static long after(RouteRequest ask) {
        var cursor = ask.query(Paging.CURSOR);
        try {
            return cursor.map(Long::parseLong).orElse(0L);
        } catch (NumberFormatException _) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "cursor must be the next_cursor of the page before.",
                    Map.of("parameter", Paging.CURSOR));
        }
    }
}
