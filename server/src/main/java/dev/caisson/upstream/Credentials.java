package dev.caisson.upstream;

import java.util.Map;

/// Credentials that this server presents to an upstream. They never come from a caller.
public sealed interface Credentials {
    /// Nothing is presented.
    record None() implements Credentials {}

    /// Headers of every request.
    record Headers(Map<String, SecretText> headers) implements Credentials {
        public Headers {
            headers = Map.copyOf(headers);
        }
    }

    /// Variables of the environment of a process.
    record Variables(Map<String, SecretText> env) implements Credentials {
        public Variables {
            env = Map.copyOf(env);
        }
    }
}
