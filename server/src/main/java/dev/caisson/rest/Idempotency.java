package dev.caisson.rest;

import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.http.ErrorCode;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import dev.caisson.tools.LiveRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Sees to it that a request with a key is carried out once, however often it is sent, also across
/// a restart. What was refused before its program could run does not count: it can be sent again.
final class Idempotency {
    private static final String PREFIX = "sha256:";
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LOOK_MAX = Duration.ofMillis(500);

    private final Store store;
    private final KeptAnswers answers;
    private final KeyedDigest former;
    private final Clock clock;

    /// @param former with which versions before this one compared bodies
    Idempotency(Store store, KeptAnswers answers, KeyedDigest former, Clock clock) {
        this.former = former;
        this.store = store;
        this.answers = answers;
        this.clock = clock;
    }

    /// Takes the key for a request.
    ///
    /// @return what became of the same request before; empty when this is the first
    /// @throws Problem when the key was used with another body
    /// @throws Refusal NO_CAPACITY when this is the first, and too many of the caller are
    ///   remembered
    Optional<Kept> claim(KeptRows.Place place, JsonNode body, String traceId) {
        var fresh =
                new Kept(
                        digest(place, Json.bytes(body)),
                        traceId,
                        Optional.empty(),
                        Optional.empty());
        var now = clock.instant();
        var forgettable = answers.forgettable();
        if (!answers.hasRoom(place.owner())
                && store.read(handle -> KeptRows.find(handle, place)).isEmpty()) {
            throw answers.refusal();
        }
        var found =
                store.write(handle -> {
                    KeptRows.forget(handle, place, forgettable);
                    return KeptRows.insert(handle, place, fresh, now, store.server())
                            ? Optional.<Kept>empty()
                            : KeptRows.find(handle, place);
                });
        if (found.filter(kept -> !isOf(kept, place, Json.bytes(body))).isPresent()) {
            throw Problem.mismatch();
        }
        return found;
    }

    /// Former versions kept a digest with the server's secret, and before that a plain one; each is
    /// told by its form.
    private boolean isOf(Kept kept, KeptRows.Place place, byte[] body) {
        if (kept.digest().startsWith(PREFIX)) {
            return kept.digest().equals(digest(place, body));
        }
        return kept.digest()
                .equals(
                        KeyedDigest.isOne(kept.digest())
                                ? former.of(place.owner(), body)
                                : HexFormat.of().formatHex(sha256().digest(body)));
    }

    /// The same on every server with this database, whatever its secret is. The same body has
    /// another one under another key.
    private static String digest(KeptRows.Place place, byte[] body) {
        var hash = sha256();
        for (var part : List.of(place.owner(), place.key())) {
            var bytes = part.getBytes(StandardCharsets.UTF_8);
            hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            hash.update(bytes);
        }
        return PREFIX + HexFormat.of().formatHex(hash.digest(body));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /// Keeps what becomes of the first request.
    Witness witness(KeptRows.Place place) {
        return new Witness() {
            private boolean begun;

            @Override
            public void began(LiveRun run) {
                begun = true;
                store.write(handle -> KeptRows.began(handle, place, run.id()));
            }

            @Override
            public void ended(JsonNode result) {
                answered(new Kept.Answer(200, result));
                answers.added(Json.text(result).length());
            }

            @Override
            public void failed(Throwable failure) {
                if (begun) {
                    answered(answer(failure));
                } else {
                    store.write(handle -> KeptRows.delete(handle, place));
                }
            }

            private void answered(Kept.Answer answer) {
                store.write(handle -> KeptRows.answered(handle, place, answer));
            }
        };
    }

    /// Waits until it has become an execution.
    ///
    /// @param meanwhile done at every look; what it throws ends the wait
    /// @return empty when it was refused before
    Optional<Kept> begun(KeptRows.Place place, Runnable meanwhile) throws InterruptedException {
        return await(
                place,
                kept -> kept.executionId().isPresent() || kept.answer().isPresent(),
                meanwhile);
    }

    /// Waits until it has its answer.
    ///
    /// @param meanwhile done at every look; what it throws ends the wait
    /// @return empty when it was refused before its program could run
    Optional<Kept.Answer> answer(KeptRows.Place place, Runnable meanwhile)
            throws InterruptedException {
        return await(place, kept -> kept.answer().isPresent(), meanwhile).flatMap(Kept::answer);
    }

    /// Looks less and less often, for every look costs a read of the store.
    private Optional<Kept> await(KeptRows.Place place, Predicate<Kept> enough, Runnable meanwhile)
            throws InterruptedException {
        for (var pause = LOOK; ; pause = longer(pause)) {
            var kept = store.read(handle -> KeptRows.find(handle, place));
            if (kept.isEmpty() || enough.test(kept.get())) {
                return kept;
            }
            meanwhile.run();
            Thread.sleep(pause);
        }
    }

    private static Duration longer(Duration pause) {
        var next = pause.multipliedBy(5).dividedBy(4);
        return next.compareTo(LOOK_MAX) < 0 ? next : LOOK_MAX;
    }

    /// Answers what servers began that are gone.
    ///
    /// @return how many
    int settleAbandoned() {
        return store.write(handle -> KeptRows.settle(handle, stopped()));
    }

    private static Kept.Answer answer(Throwable failure) {
        return switch (failure) {
            case Refusal refusal ->
                    error(ErrorCode.of(refusal.reason()).status(), ErrorBody.of(refusal));
            case InterruptedException _ -> stopped();
            default ->
                    error(
                            500,
                            ErrorBody.of(
                                    "internal",
                                    "The first request with this key failed by a fault of ours."
                                            + " Look at its execution, then use another key."));
        };
    }

    private static Kept.Answer stopped() {
        return error(
                503,
                ErrorBody.of(
                        "unavailable",
                        "The server stopped while the first request with this key was under way."
                                + " Look at its execution, then use another key."));
    }

    private static Kept.Answer error(int status, ErrorBody body) {
        return new Kept.Answer(status, body.tree());
    }
}
