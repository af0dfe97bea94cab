package dev.caisson.http;

import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// One request and the way to answer it.
public interface Exchange {
    String method();

    /// The decoded path, always starting with a slash, without `.` or `..` segments.
    String path();

    Optional<String> query(String name);

    /// The only or first value of a header; names are case-insensitive.
    Optional<String> header(String name);

    List<String> headers(String name);

    /// The address of the client, behind proxies the operator trusts.
    String clientAddress();

    /// Whether the client seems to have closed its connection. It has if that is said twice, half a
    /// second or more apart.
    boolean clientHasLeft();

    /// What the header `traceparent` says, or the beginning of a trace.
    TraceContext traceContext();

    default TraceId trace() {
        return traceContext().id();
    }

    /// Reads the whole body, once. Call it after authentication.
    ///
    /// @throws dev.caisson.call.Refusal TOO_LARGE beyond the configured limit, TIMED_OUT when it
    ///   comes too slowly
    byte[] body();

    /// Takes the body piece by piece, once, whatever its length. Call it after authentication.
    ///
    /// @param to gets each piece while it is there, and no longer; what it throws is thrown here
    /// @throws dev.caisson.call.Refusal TIMED_OUT when it comes too slowly, MALFORMED when it ends
    ///   too early
    void body(Consumer<ByteBuffer> to);

    void reply(int status, Map<String, String> headers, byte[] body);

    /// Starts an answer of unknown length, such as server-sent events.
    OutStream stream(int status, Map<String, String> headers);

    /// Adds a word about this request to its one log line, such as the tool's name. Never a secret,
    /// code or a body.
    void note(String key, String value);
}
