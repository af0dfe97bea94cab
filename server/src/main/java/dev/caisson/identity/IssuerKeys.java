package dev.caisson.identity;

import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Keys that an issuer signs tokens with, as they were a moment ago. They are fetched again when
/// they are old, and once a minute for a token of a key that is not among them; so an issuer can
/// change its keys, and tokens that somebody made up cost it nothing.
final class IssuerKeys {
    /// After which they are fetched again.
    static final Duration AGE_MAX = Duration.ofMinutes(10);

    /// Between two attempts to fetch them.
    static final Duration PAUSE = Duration.ofMinutes(1);

    /// How long they count while the issuer does not answer.
    static final Duration UNREACHABLE_MAX = Duration.ofHours(1);

    /// How many are used.
    static final int KEYS_MAX = 100;

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private record Fetched(List<SigningKey> keys, long at) {}

    private final Supplier<JsonNode> source;
    private final LongSupplier nanoTime;
    private volatile Optional<Fetched> fetched = Optional.empty();
    private Optional<Long> tried = Optional.empty();

    /// @param source fetches the set of keys (RFC 7517); it refuses with UNAVAILABLE when it cannot
    IssuerKeys(Supplier<JsonNode> source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
    }

    /// Whether one of them signed the token.
    ///
    /// @throws Refusal UNAVAILABLE when there are none and they cannot be fetched
    boolean signed(SignedToken token, SigningKey.Algorithm algorithm) {
        var id = token.headed("kid");
        var known = fresh(AGE_MAX).filter(has(id)).orElseGet(() -> fetch(id)).keys();
        return known.stream()
                .filter(key -> key.algorithm() == algorithm)
                .filter(key -> id.isEmpty() || id.equals(key.id()))
                .anyMatch(key -> key.signed(token));
    }

    private Optional<Fetched> fresh(Duration age) {
        return fetched.filter(known -> nanoTime.getAsLong() - known.at() < age.toNanos());
    }

    private static Predicate<Fetched> has(Optional<String> id) {
        return known -> id.isEmpty() || known.keys().stream().anyMatch(key -> id.equals(key.id()));
    }

    /// One fetches; others who want them wait for it.
    private synchronized Fetched fetch(Optional<String> id) {
        var others = fresh(AGE_MAX).filter(has(id));
        if (others.isPresent()) {
            return others.get();
        }
        var now = nanoTime.getAsLong();
        if (tried.filter(at -> now - at < PAUSE.toNanos()).isPresent()) {
            return fresh(UNREACHABLE_MAX).orElseThrow(IssuerKeys::unreachable);
        }
        tried = Optional.of(now);
        try {
            var keys = read(source.get());
            var all = new Fetched(keys, nanoTime.getAsLong());
            fetched = Optional.of(all);
            return all;
        } catch (Refusal failed) {
            LOG.warn("the keys of auth.issuer: {}", failed.sentence());
            return fresh(UNREACHABLE_MAX).orElseThrow(() -> failed);
        }
    }

    private static Refusal unreachable() {
        return Refusal.stopping(
                "The keys of the authorization server could not be fetched a moment ago. Try again"
                        + " in a minute; an operator finds the reason in the log.");
    }

    private static List<SigningKey> read(JsonNode set) {
        return set.path("keys")
                .valueStream()
                .limit(KEYS_MAX)
                .flatMap(jwk -> SigningKey.read(jwk).stream())
                .toList();
    }
}
