package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.share.Workers;

/// Reads messages: a large one on the threads that compute, so that nobody waits for it but its
/// caller.
///
/// @param workers what computes
record MessageReader(Workers workers) {
    /// @throws ProtocolError as [Incoming#read]
    Incoming read(Caller caller, byte[] bytes) throws InterruptedException {
        return bytes.length <= Json.PARSED_AT_ONCE_BYTES
                ? Incoming.read(bytes)
                : workers.run(caller.id(), () -> Incoming.read(bytes));
    }
}
