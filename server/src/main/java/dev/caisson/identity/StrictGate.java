package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Revocations;
import java.util.Optional;

/// Admits whom another gate admits, each as one who is told of invalid arguments by the protocol.
public record StrictGate(Gate gate) implements Gate {
    @Override
    public Caller admit(Door door, String clientAddress, Optional<String> authorization) {
        return gate.admit(door, clientAddress, authorization).strict();
    }

    @Override
    public Revocations revocations() {
        return gate.revocations();
    }
}
