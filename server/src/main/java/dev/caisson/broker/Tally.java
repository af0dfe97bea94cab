package dev.caisson.broker;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.telemetry.Metrics;
import java.util.Locale;

/// Counts the calls of tools by how they ended. Only tools there are have numbers of their own, so
/// callers cannot make up new ones.
final class Tally {
    private static final String UNKNOWN = "unknown";
    private static final double NANOS = 1e9;

    interface Work {
        ToolResult result() throws InterruptedException;
    }

    private final Metrics metrics;

    Tally(Metrics metrics) {
        this.metrics = metrics;
    }

    ToolResult counted(String tool, Work work) throws InterruptedException {
        long begin = System.nanoTime();
        var status = "fault";
        try {
            var result = work.result();
            status = result.failed() ? "failed" : "ok";
            return result;
        } catch (Suspended suspended) {
            status = "suspended";
            throw suspended;
        } catch (Refusal refusal) {
            status = word(refusal.reason());
            throw refusal;
        } catch (InterruptedException cancelled) {
            status = "cancelled";
            throw cancelled;
        } finally {
            metrics.toolCalls().labelValues(tool, status).inc();
            metrics.toolSeconds().labelValues(tool).observe((System.nanoTime() - begin) / NANOS);
        }
    }

    /// Somebody asked for a tool that is not there, for them.
    void unknown() {
        metrics.toolCalls().labelValues(UNKNOWN, word(Reason.UNKNOWN_TOOL)).inc();
    }

    private static String word(Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
