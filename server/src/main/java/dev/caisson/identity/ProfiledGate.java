package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Revocations;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Admits whom another gate admits, each with what its profile gives it.
///
/// @param profiles makes the caller with its profile of one without
public record ProfiledGate(Gate gate, UnaryOperator<Caller> profiles) implements Gate {
    @Override
    public Caller admit(Door door, String clientAddress, Optional<String> authorization) {
        return profiles.apply(gate.admit(door, clientAddress, authorization));
    }

    @Override
    public Revocations revocations() {
        return gate.revocations();
    }
}
