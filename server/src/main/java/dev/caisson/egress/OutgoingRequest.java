package dev.caisson.egress;

import dev.caisson.call.Deadline;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// Outgoing request.
///
/// @param body empty for methods without one
/// @param deadline when everything is over, the last byte of the answer included; empty for a
///   stream that is to stay open
/// @param bytesMax how much of the body of the answer is read
/// @param ownConnection whether it goes over a connection that nothing else has used: one that was
///   idle may be dead, and then nobody knows whether the request arrived
/// @param onSent called before the first byte goes out
public record OutgoingRequest(
        String method,
        URI address,
        Map<String, String> headers,
        Optional<Body> body,
        Optional<Deadline> deadline,
        long bytesMax,
        boolean ownConnection,
        Runnable onSent) {
    public OutgoingRequest {
        headers = Map.copyOf(headers);
    }

    @SuppressWarnings("ArrayRecordComponent") // Bodies are never compared.
    public record Body(String mediaType, byte[] bytes) {}
}
