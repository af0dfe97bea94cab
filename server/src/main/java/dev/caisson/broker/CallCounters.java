package dev.caisson.broker;

import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.call.Caller;
import dev.caisson.telemetry.Metrics;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/// Counters of calls by name and ending. Only tools and actions of this server have numbers of
/// their own, and each upstream has those of all its tools together, so neither callers nor
/// upstreams can make up new ones.
final class CallCounters {
    private static final String UNKNOWN = "unknown";
    private static final double NANOS = 1e9;

    private final Metrics metrics;
    private final KeyHealth health;

    CallCounters(Metrics metrics) {
        this.metrics = metrics;
        this.health = new KeyHealth(metrics, System::nanoTime);
    }

    /// A tool was called.
    void tool(Caller caller, ActionRequest request, Ending ending, long nanos) {
        action(request, ending, nanos);
        health(caller, request.name(), request.arguments(), ending);
    }

    /// Something else was done. A file that is fetched again and again is no loop of a model, so it
    /// does not count for the health of a key.
    void action(ActionRequest request, Ending ending, long nanos) {
        var upstream =
                request.origin()
                        .map(ToolOrigin::server)
                        .filter(server -> !server.equals(ToolOrigin.OWN_SERVER))
                        .orElse("");
        var tool = upstream.isEmpty() ? request.name() : "";
        metrics.toolCalls().labelValues(tool, upstream, status(ending)).inc();
        metrics.toolSeconds().labelValues(tool, upstream).observe(nanos / NANOS);
    }

    /// A caller asked for a tool that is not there, for this caller.
    void unknown(Caller caller, ObjectNode arguments, Ending ending) {
        metrics.toolCalls().labelValues(UNKNOWN, "", status(ending)).inc();
        health(caller, UNKNOWN, arguments, ending);
    }

    private void health(Caller caller, String tool, ObjectNode arguments, Ending ending) {
        switch (ending) {
            case Ending.Answered(var failed) -> health.note(caller, tool, arguments, failed);
            case Ending.Refused _, Ending.Broken _ -> health.note(caller, tool, arguments, true);
            case Ending.Cancelled _ -> health.note(caller, tool, arguments, false);
            case Ending.Asked _ -> {}
        }
    }

    private static String status(Ending ending) {
        return switch (ending) {
            case Ending.Answered(var failed) -> failed ? "failed" : "ok";
            case Ending.Refused(var reason) -> reason.name().toLowerCase(Locale.ROOT);
            case Ending.Cancelled _ -> "cancelled";
            case Ending.Asked _ -> "suspended";
            case Ending.Broken _ -> "fault";
        };
    }
}
