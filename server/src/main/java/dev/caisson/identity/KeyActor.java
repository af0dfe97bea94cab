package dev.caisson.identity;

import dev.caisson.call.Door;
import dev.caisson.call.TraceId;

/// Actor in the life of a key, and the door it came through.
///
/// @param caller the id of the caller
public record KeyActor(String caller, Door door, TraceId trace) {
    /// The server itself.
    static KeyActor inside() {
        return new KeyActor("server", Door.INSIDE, TraceId.fresh());
    }
}
