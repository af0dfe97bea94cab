package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.TraceId;

/// Who does something to a key, and where it came in.
///
/// @param caller the id of the caller
public record KeyActor(String caller, Door door, TraceId trace) {
    /// The server itself.
    static KeyActor inside() {
        return new KeyActor("server", Door.INSIDE, TraceId.fresh());
    }

    /// The person at this machine, with the command line.
    public static KeyActor commandLine() {
        return new KeyActor(Caller.LOCAL.id(), Door.CLI, TraceId.fresh());
    }
}
