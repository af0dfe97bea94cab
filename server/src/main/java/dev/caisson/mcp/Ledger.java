package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.http.Exchange;
import dev.caisson.telemetry.LogFields;
import dev.caisson.telemetry.LogLine;
import dev.caisson.telemetry.Metrics;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What operators learn of requests: counted, and named in the log. Only names that are ours are
/// told, never arguments, and nothing a stranger can make up.
final class Ledger {
    private static final Logger CALLS = LoggerFactory.getLogger("dev.caisson.call");
    private static final String UNKNOWN = "unknown";

    private final Broker broker;
    private final Metrics metrics;

    Ledger(Broker broker, Metrics metrics) {
        this.broker = broker;
        this.metrics = metrics;
    }

    /// The method a request asks for, counted.
    ///
    /// @throws ProtocolError when that revision has no such method
    Method method(String word, Revision revision) {
        try {
            var method = Method.of(word, revision);
            count(revision, method.word());
            return method;
        } catch (ProtocolError unknown) {
            count(revision, UNKNOWN);
            throw unknown;
        }
    }

    private void count(Revision revision, String method) {
        metrics.mcpRequests().labelValues(revision.word(), method).inc();
    }

    /// Names a request on the line its exchange gets.
    void note(
            Exchange exchange,
            Caller caller,
            Revision revision,
            Method method,
            McpRequest asked,
            RequestMeta meta) {
        meta.trace().ifPresent(trace -> exchange.note("call_trace", trace.id().value()));
        exchange.note("rpc", method.word());
        exchange.note("revision", revision.word());
        tool(caller, asked).ifPresent(name -> exchange.note("tool", name));
    }

    private Optional<String> tool(Caller caller, McpRequest asked) {
        return asked instanceof McpRequest.CallTool call
                ? broker.tool(caller, call.name()).map(ToolSpec::name)
                : Optional.empty();
    }

    /// One request over a channel, which has no exchange that could get a line.
    final class Entry implements LogFields {
        private final Method method;
        private final Context context;
        private final Optional<String> tool;
        private final NotedOutlet notes;
        private final long begin = System.nanoTime();
        private String outcome = "cancelled";
        private long nanos;

        private Entry(Method method, McpRequest asked, Context context, NotedOutlet notes) {
            this.notes = notes;
            this.method = method;
            this.context = context;
            this.tool = tool(context.caller(), asked);
        }

        void answered(Answer answer) {
            outcome = answer.message().has("error") ? "error" : "result";
        }

        /// Writes its line.
        void end() {
            nanos = System.nanoTime() - begin;
            CALLS.info("call", this);
        }

        @Override
        public void writeTo(LogLine line) {
            line.add("rpc", method.word())
                    .add("revision", context.codec().revision().word())
                    .add("outcome", outcome)
                    .add("ms", nanos / 1e6)
                    .add("trace", context.trace().id().value())
                    .add("caller", context.caller().name());
            tool.ifPresent(name -> line.add("tool", name));
            notes.writeTo(line);
        }
    }

    Entry open(Method method, McpRequest asked, Context context, NotedOutlet notes) {
        return new Entry(method, asked, context, notes);
    }
}
