package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.share.Workers;

/// Reads messages: a large one on the threads that compute, so that nobody waits for it but its
/// caller.
///
/// @param workers what computes
public record MessageReader(Workers workers) {
    /// @throws ProtocolError as [IncomingMessage#read]
    public IncomingMessage read(Caller caller, byte[] bytes) throws InterruptedException {
        return bytes.length <= Json.PARSED_AT_ONCE_BYTES
                ? IncomingMessage.read(bytes)
                : workers.run(caller.id(), () -> IncomingMessage.read(bytes));
    }
}
