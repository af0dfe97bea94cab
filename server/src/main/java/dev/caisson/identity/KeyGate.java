package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.Scope;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/// Admits the holders of a key. Knows a key for a moment, so that a request costs one hash; a key
/// that is revoked in this process stops working at once, one that is revoked elsewhere when that
/// moment is over.
public final class KeyGate implements Gate {
    /// How long a header may be, in characters; a longer one holds no key of ours.
    static final int AUTHORIZATION_MAX = 1024;

    private static final Pattern BEARER =
            Pattern.compile("bearer +([^ ]+) *", Pattern.CASE_INSENSITIVE);
    private static final String INVALID = "Invalid or revoked API key.";
    private static final String MISSING =
            "No API key was sent. Send one as the header `Authorization: Bearer <key>`.";
    private static final String MALFORMED =
            "The header Authorization must have the form `Bearer <key>`.";

    /// Whoever has the one more secret.
    public static final Caller TOKEN_HOLDER =
            new Caller("token", "MCP_API_TOKEN", Set.of(Scope.values()), Set.of());

    private final RecentKeys keys;
    private final Optional<byte[]> tokenHash;
    private final AttemptLimit attempts;
    private final Clock clock;
    private final Revocations revocations;

    /// @param token one more secret, which may do everything
    public KeyGate(Keys keys, Optional<String> token, Clock clock) {
        this(keys, token, clock, System::nanoTime);
    }

    /// @param failuresMax how many failures of one address within the window get an ordinary answer
    /// @param revocations of which this process has heard
    public KeyGate(
            Keys keys,
            Optional<String> token,
            Clock clock,
            int failuresMax,
            Duration window,
            Revocations revocations) {
        this(
                new RecentKeys(keys, System::nanoTime),
                token,
                clock,
                new AttemptLimit(failuresMax, window, System::nanoTime),
                revocations);
    }

    KeyGate(Keys keys, Optional<String> token, Clock clock, LongSupplier nanoTime) {
        this(
                new RecentKeys(keys, nanoTime),
                token,
                clock,
                new AttemptLimit(nanoTime),
                new Revocations());
    }

    private KeyGate(
            RecentKeys keys,
            Optional<String> token,
            Clock clock,
            AttemptLimit attempts,
            Revocations revocations) {
        this.keys = keys;
        this.tokenHash = token.filter(text -> !text.isBlank()).map(Secret::hash);
        this.attempts = attempts;
        this.clock = clock;
        this.revocations = revocations;
    }

    @Override
    public Caller admit(Door door, String clientAddress, Optional<String> authorization) {
        var header = authorization.orElseThrow(() -> refusal(clientAddress, MISSING));
        if (header.length() > AUTHORIZATION_MAX) {
            throw refusal(clientAddress, INVALID);
        }
        var presented = bearer(header).orElseThrow(() -> refusal(clientAddress, MALFORMED));
        return holder(presented, door).orElseThrow(() -> refusal(clientAddress, INVALID));
    }

    static Optional<String> bearer(String header) {
        var matcher = BEARER.matcher(header);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private Optional<Caller> holder(String presented, Door door) {
        var hash = Secret.hash(presented);
        if (tokenHash.filter(expected -> MessageDigest.isEqual(expected, hash)).isPresent()) {
            keys.tokenUsed(TOKEN_HOLDER.id(), hash, door);
            return Optional.of(TOKEN_HOLDER);
        }
        return Secret.id(presented)
                .flatMap(keys::find)
                .flatMap(row -> row.opened(hash, clock.instant()))
                .filter(key -> !revocations.has(key.caller().id()))
                .map(key -> used(key, door).caller());
    }

    private KeyInfo used(KeyInfo key, Door door) {
        if (key.firstUsed().isEmpty()) {
            keys.used(key.id(), door);
        }
        keys.noteUse(key.id());
        return key;
    }

    @Override
    public Revocations revocations() {
        return revocations;
    }

    private Refusal refusal(String clientAddress, String sentence) {
        return refusal(clientAddress, new Refusal(Reason.UNAUTHORIZED, sentence));
    }

    /// Counts a failed attempt.
    ///
    /// @param usual what is said unless there were too many
    Refusal refusal(String clientAddress, Refusal usual) {
        return attempts.failed(clientAddress).map(KeyGate::tooMany).orElse(usual);
    }

    private static Refusal tooMany(Duration wait) {
        var seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new Refusal(
                Reason.TOO_MANY_ATTEMPTS,
                "Too many failed attempts from this address. Try again in "
                        + seconds
                        + " s with a valid API key.",
                Map.of("retry_after_seconds", seconds));
    }
}
