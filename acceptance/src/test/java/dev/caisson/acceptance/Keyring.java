package dev.caisson.acceptance;

import dev.caisson.call.Scope;
import dev.caisson.identity.Gate;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.Keys;
import dev.caisson.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Some people with keys: alice and bob see every tool, carol the core alone; one key was revoked,
/// of one the time is over; and there is a token.
final class Keyring {
    private static final Set<Scope> RUN = Set.of(Scope.RUN);
    private static final String TOKEN = "the-token-of-the-operator";

    private final Gate gate;
    private final Map<String, String> secrets;

    private Keyring(Gate gate, Map<String, String> secrets) {
        this.gate = gate;
        this.secrets = secrets;
    }

    static Keyring in(Store store) {
        var keys = new Keys(store, Clock.systemUTC());
        var revoked = keys.create("revoked", RUN, Set.of(), Optional.empty());
        keys.revoke(revoked.info().id());
        var gate = new KeyGate(keys, Optional.of(TOKEN), Clock.systemUTC());
        return new Keyring(
                gate,
                Map.of(
                        "alice", keys.create("alice", RUN, Set.of(), Optional.empty()).secret(),
                        "bob", keys.create("bob", RUN, Set.of(), Optional.empty()).secret(),
                        "carol",
                                keys.create("carol", RUN, Set.of("core"), Optional.empty())
                                        .secret(),
                        "expired", expired(store),
                        "revoked", revoked.secret(),
                        "token", TOKEN));
    }

    /// A key that was made two hours ago for one hour.
    private static String expired(Store store) {
        var then = Clock.offset(Clock.systemUTC(), Duration.ofHours(-2));
        return new Keys(store, then)
                .create("expired", RUN, Set.of(), Optional.of(then.instant().plusSeconds(3600)))
                .secret();
    }

    Gate gate() {
        return gate;
    }

    String secret(String name) {
        return Optional.ofNullable(secrets.get(name)).orElseThrow();
    }
}
