package dev.caisson.http;

import dev.caisson.call.Caller;
import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import dev.caisson.share.HeldShare;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// One request and the way to answer it.
public interface Exchange {
    String method();

    /// The decoded path, always starting with a slash, without `.` or `..` segments.
    String path();

    /// The value of a parameter of the address. None of them is there twice: such a request is
    /// refused before a door sees it.
    Optional<String> query(String name);

    /// The names of all parameters of the address.
    Set<String> queryNames();

    /// Path and query as they came, not decoded.
    String target();

    /// The only or first value of a header; names are case-insensitive.
    Optional<String> header(String name);

    List<String> headers(String name);

    /// The address of the client, behind proxies the operator trusts.
    String clientAddress();

    /// Whether the client has closed its connection. Known after it was asked for twice at least,
    /// over a second or so.
    boolean clientHasLeft();

    /// What the header `traceparent` says, or the beginning of a trace.
    TraceContext traceContext();

    default TraceId trace() {
        return traceContext().id();
    }

    /// Says who asks. From here on the request takes what it needs of that caller's shares, and has
    /// one of its places until the handler has ended or the client left.
    ///
    /// @throws dev.caisson.call.Refusal NO_CAPACITY when the caller has its share
    void admitted(Caller caller);

    /// As [#admitted], when a signed link and no caller is the authority: the client's address has
    /// the place, and all users of the links of one maker together have a share of their own.
    ///
    /// @param maker who made the link
    /// @return in whose name the request takes disk and computing
    String admittedByLink(String maker);

    /// As [#admitted], for what anybody may ask: the client's address has the place.
    void admittedByAddress();

    /// What `WWW-Authenticate` says to a caller whose token lacks a scope; empty where callers have
    /// keys alone.
    ///
    /// @param scopes of which it needs one
    Optional<String> challenge(List<String> scopes);

    /// Reads the whole body, once. Call it after authentication. While it comes, the request has no
    /// place.
    ///
    /// @throws dev.caisson.call.Refusal TOO_LARGE beyond the configured limit, TIMED_OUT when it
    ///   comes too slowly, NO_CAPACITY when the caller has its share of memory for bodies
    byte[] body();

    /// Keeps the memory of the body counted after the handler has ended, for work that goes on with
    /// it.
    HeldShare keepBody();

    /// Keeps the request's place after the handler has ended, for work that is answered elsewhere.
    HeldShare keepPlace();

    /// Takes the body piece by piece, once, whatever its length. Call it after authentication. The
    /// request keeps its place while it comes, for a file is open meanwhile.
    ///
    /// @param to gets each piece while it is there, and no longer; what it throws is thrown here
    /// @throws dev.caisson.call.Refusal TIMED_OUT when it comes too slowly, MALFORMED when it ends
    ///   too early
    void body(Consumer<ByteBuffer> to);

    /// Sends a whole answer. When the caller's share of memory for answers is full, it waits; when
    /// there is none for as long as a connection may lie unused, the connection is closed.
    void reply(int status, Map<String, String> headers, byte[] body);

    /// Starts an answer of unknown length, such as server-sent events.
    OutStream stream(int status, Map<String, String> headers);

    /// Adds a word about this request to its one log line, such as the tool's name. Never a secret,
    /// code or a body.
    void note(String key, String value);
}
