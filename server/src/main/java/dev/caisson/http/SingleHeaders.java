package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;

/// The headers that decide something and have one value. A request that has one of them twice is
/// refused: a proxy before the server could have judged by the other value.
///
/// Headers whose values are a list, such as `Accept` and `Prefer`, may come in several pieces.
final class SingleHeaders {
    static final List<String> NAMES =
            List.of(
                    "Host",
                    "Origin",
                    "Authorization",
                    "Content-Type",
                    "Content-Length",
                    "MCP-Protocol-Version",
                    "Mcp-Session-Id",
                    "Last-Event-ID",
                    "Idempotency-Key",
                    "Range",
                    "If-Range");

    private SingleHeaders() {}

    /// The refusal of the first that came more than once.
    static Optional<Refusal> repetition(HttpFields headers) {
        for (var name : NAMES) {
            if (headers.getValuesList(name).size() > 1) {
                return Optional.of(
                        new Refusal(
                                Reason.MALFORMED,
                                "The header " + name + " was sent more than once; send it once."));
            }
        }
        return Optional.empty();
    }
}
