package dev.caisson.http;

import dev.caisson.call.TraceId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    TraceId trace();

    /// Reads the whole body, once. Call it after authentication.
    ///
    /// @throws dev.caisson.call.Refusal TOO_LARGE beyond the configured limit, TIMED_OUT when it
    ///   comes too slowly
    byte[] body();

    void reply(int status, Map<String, String> headers, byte[] body);

    /// Starts an answer of unknown length, such as server-sent events.
    OutStream stream(int status, Map<String, String> headers);

    /// Adds a word about this request to its one log line, such as the tool's name. Never a secret,
    /// code or a body.
    void note(String key, String value);
}
