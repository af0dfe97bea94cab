package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Revocations;
import java.util.Optional;

/// Says who is asking, or that nobody we know is.
public interface Gate {
    /// @param clientAddress counts the failures
    /// @param authorization the header as it came
    /// @throws dev.caisson.call.Refusal UNAUTHORIZED for a missing, bad, expired or revoked key;
    ///   TOO_MANY_ATTEMPTS instead when that address failed too often lately. A good key is always
    ///   admitted.
    Caller admit(String clientAddress, Optional<String> authorization);

    /// The callers whose keys were revoked. Always the same object.
    Revocations revocations();
}
