package dev.caisson.rest.runs;

import dev.caisson.call.CodePlace;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.ledger.UpstreamCall;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// Route of the calls of other servers' tools that the program of an execution made.
public final class ToolCallRoutes {
    private static final int MICROS = 1_000;

    private final ExecutionRoutes executions;
    private final UpstreamCalls calls;

    public ToolCallRoutes(ExecutionRoutes executions, UpstreamCalls calls) {
        this.executions = executions;
        this.calls = calls;
    }

    /// Page of calls.
    public record ToolCallList(List<Shown> calls, Optional<String> nextCursor) {}

    /// A call as it is shown.
    public record Shown(
            String id,
            @Describe("Which call of its execution, from 1; calls of our own tools count too.")
                    long number,
            @Describe("Where in the program it was made, by the program's own word.")
                    Optional<CodePlace> at,
            @Describe("As programs name it, with its server.") String tool,
            @Describe("intended, done, not_sent, unknown or refused.") String state,
            @Describe("read, write, destroy or unknown.") String effect,
            @Describe("Null while it is under way.") Optional<Boolean> failed,
            @Describe("How a call ended that got no result.") Optional<String> error,
            @Describe("Without secrets; null where they are not kept.")
                    Optional<JsonNode> arguments,
            @Describe("As the program got it, without secrets; null where it is not kept.")
                    Optional<JsonNode> result,
            long argumentBytes,
            Optional<Long> resultBytes,
            String createdAt,
            Optional<Double> durationMs) {
        static Shown of(UpstreamCall call) {
            return new Shown(
                    call.id(),
                    call.number(),
                    call.at(),
                    call.upstream() + "." + call.tool(),
                    call.state().word(),
                    call.effect(),
                    call.failed(),
                    call.error(),
                    call.arguments(),
                    call.result(),
                    call.argumentBytes(),
                    boxed(call.resultBytes()),
                    call.began().toString(),
                    boxed(call.durationMicros()).map(micros -> (double) micros / MICROS));
        }

        private static Optional<Long> boxed(OptionalLong number) {
            return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
        }
    }

    public Response list(RouteRequest ask) {
        var record = executions.require(ask);
        var page = calls.ofExecution(record.id(), after(ask), Paging.limit(ask));
        var more =
                !page.isEmpty()
                        && !calls.ofExecution(record.id(), page.getLast().number(), 1).isEmpty();
        return Response.ok(
                Records.tree(
                        new ToolCallList(
                                page.stream().map(Shown::of).toList(),
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
