package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Revocations;
import java.util.Optional;

/// Lets everybody in as the local user. Only for a server that nobody else can reach.
public final class OpenGate implements Gate {
    private final Revocations revocations = new Revocations();

    @Override
    public Caller admit(Door door, String clientAddress, Optional<String> authorization) {
        return Caller.LOCAL;
    }

    /// Nobody has a key here, so nobody is ever among them.
    @Override
    public Revocations revocations() {
        return revocations;
    }
}
