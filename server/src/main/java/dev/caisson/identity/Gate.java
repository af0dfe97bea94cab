package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Revocations;
import java.util.Optional;

/// Authentication of requests: finds the caller, or refuses.
public interface Gate {
    /// @param door where the caller came in, for the record of a key that is used for the first
    ///   time
    /// @param clientAddress counts the failures
    /// @param authorization the header as it came
    /// @throws dev.caisson.call.Refusal UNAUTHORIZED for a missing, bad, expired or revoked key;
    ///   TOO_MANY_ATTEMPTS instead when that address failed too often lately. A good key is always
    ///   admitted.
    Caller admit(Door door, String clientAddress, Optional<String> authorization);

    /// The callers whose keys were revoked. Always the same object.
    Revocations revocations();
}
