package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.telemetry.Metrics;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/// Counts the calls of tools by how they ended. Only tools there are have numbers of their own, so
/// callers cannot make up new ones.
final class Tally {
    private static final String UNKNOWN = "unknown";
    private static final double NANOS = 1e9;

    interface Work {
        ToolResult result() throws InterruptedException;
    }

    private final Metrics metrics;
    private final KeyHealth health;

    Tally(Metrics metrics) {
        this.metrics = metrics;
        this.health = new KeyHealth(metrics, System::nanoTime);
    }

    ToolResult counted(NotedCall call, String tool, ObjectNode arguments, Work work)
            throws InterruptedException {
        long begin = System.nanoTime();
        var status = "fault";
        var failed = true;
        var over = true;
        try {
            var result = work.result();
            failed = result.failed();
            status = failed ? "failed" : "ok";
            return result;
        } catch (Suspended suspended) {
            status = "suspended";
            over = false;
            throw suspended;
        } catch (Refusal refusal) {
            status = word(refusal.reason());
            throw refusal;
        } catch (InterruptedException cancelled) {
            status = "cancelled";
            failed = false;
            throw cancelled;
        } finally {
            metrics.toolCalls().labelValues(tool, status).inc();
            metrics.toolSeconds().labelValues(tool).observe((System.nanoTime() - begin) / NANOS);
            if (over) {
                health.note(call.caller(), tool, arguments, failed);
            }
        }
    }

    /// Somebody asked for a tool that is not there, for them.
    void unknown(Caller caller, ObjectNode arguments) {
        health.note(caller, UNKNOWN, arguments, true);
        metrics.toolCalls().labelValues(UNKNOWN, word(Reason.UNKNOWN_TOOL)).inc();
    }

    private static String word(Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
