package dev.caisson.mcp.server;

import dev.caisson.broker.ToolSpec;
import dev.caisson.http.Exchange;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcResponse;
import dev.caisson.telemetry.LogFields;
import dev.caisson.telemetry.LogLine;
import dev.caisson.telemetry.Metrics;
import dev.caisson.telemetry.TextLine;
import dev.caisson.telemetry.TextLine.Tone;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Log and counters of requests, for operators. Only names that are ours are told, never arguments,
/// and nothing a stranger can make up.
public final class RequestLog {
    private static final Logger CALLS = LoggerFactory.getLogger("dev.caisson.call");
    private static final String UNKNOWN = "unknown";

    private final Metrics metrics;

    public RequestLog(Metrics metrics) {
        this.metrics = metrics;
    }

    /// The method a request asks for, counted.
    ///
    /// @throws ProtocolError when that revision has no such method
    public Method method(String word, Revision revision) {
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
    public void note(
            Exchange exchange,
            Revision revision,
            Method method,
            McpRequest asked,
            RequestMeta meta) {
        meta.trace().ifPresent(trace -> exchange.note("call_trace", trace.id().value()));
        exchange.note("rpc", method.word());
        exchange.note("revision", revision.word());
        tool(asked).ifPresent(name -> exchange.note("tool", name));
    }

    private static Optional<String> tool(McpRequest asked) {
        return asked instanceof McpRequest.CallTool call
                ? call.tool().spec().map(ToolSpec::name)
                : Optional.empty();
    }

    /// One request over a channel, which has no exchange that could get a line.
    public static final class Entry implements LogFields {
        private final Method method;
        private final RequestContext context;
        private final Optional<String> tool;
        private final LoggedMessageSink notes;
        private final long begin = System.nanoTime();
        private String outcome = "cancelled";
        private long nanos;

        private Entry(
                Method method, McpRequest asked, RequestContext context, LoggedMessageSink notes) {
            this.notes = notes;
            this.method = method;
            this.context = context;
            this.tool = tool(asked);
        }

        public void answered(RpcResponse answer) {
            outcome = answer.message().has("error") ? "error" : "result";
        }

        /// Writes its line.
        public void end() {
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

        /// Such as `tools/call sandbox_execute result 127ms local`.
        @Override
        public void describe(TextLine line) {
            line.word(method.word());
            tool.ifPresent(line::word);
            line.word(outcome, outcome.equals("error") ? Tone.NOTABLE : Tone.GOOD)
                    .time(nanos)
                    .word(context.caller().name());
        }
    }

    public Entry open(
            Method method, McpRequest asked, RequestContext context, LoggedMessageSink notes) {
        return new Entry(method, asked, context, notes);
    }
}
