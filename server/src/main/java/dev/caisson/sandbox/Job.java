package dev.caisson.sandbox;

import java.util.Map;

/// Job of a guest: the text of a program, its environment and where its output goes.
///
/// @param order what the guest is asked
public record Job(String code, Map<String, String> env, Sink sink, GuestOrder order) {
    public Job {
        env = Map.copyOf(env);
    }
}
