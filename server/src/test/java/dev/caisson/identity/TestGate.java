package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Revocations;
import java.util.Optional;
import java.util.function.BiFunction;

/// A gate for tests, of which nobody is revoked.
///
/// @param callers by address and header
public record TestGate(
        BiFunction<String, Optional<String>, Caller> callers, Revocations revocations)
        implements Gate {
    public TestGate(BiFunction<String, Optional<String>, Caller> callers) {
        this(callers, new Revocations());
    }

    @Override
    public Caller admit(Door door, String clientAddress, Optional<String> authorization) {
        return callers.apply(clientAddress, authorization);
    }
}
