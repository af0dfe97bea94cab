package dev.caisson.rest;

import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorCode;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import dev.caisson.tools.LiveRun;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Sees to it that a request with a key is carried out once, however often it is sent, also across
/// a restart. What was refused before its program could run does not count: it can be sent again.
final class Idempotency {
    /// How long a key is remembered.
    static final Duration KEEP = Duration.ofHours(24);

    private static final Duration LOOK = Duration.ofMillis(50);

    private final Store store;
    private final Clock clock;

    Idempotency(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /// Takes the key for a request.
    ///
    /// @return what became of the same request before; empty when this is the first
    /// @throws Problem when the key was used with another body
    Optional<Kept> claim(KeptRows.Place place, JsonNode body, String traceId) {
        var fresh = new Kept(digest(body), traceId, Optional.empty(), Optional.empty());
        var now = clock.instant();
        var found =
                store.write(handle -> {
                    KeptRows.forget(handle, now.minus(KEEP));
                    return KeptRows.insert(handle, place, fresh, now)
                            ? Optional.<Kept>empty()
                            : KeptRows.find(handle, place);
                });
        if (found.filter(kept -> !kept.digest().equals(fresh.digest())).isPresent()) {
            throw Problem.mismatch();
        }
        return found;
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
    /// @return empty when it was refused before
    Optional<Kept> begun(KeptRows.Place place) throws InterruptedException {
        return await(place, kept -> kept.executionId().isPresent() || kept.answer().isPresent());
    }

    /// Waits until it has its answer.
    ///
    /// @return empty when it was refused before its program could run
    Optional<Kept.Answer> answer(KeptRows.Place place) throws InterruptedException {
        return await(place, kept -> kept.answer().isPresent()).flatMap(Kept::answer);
    }

    private Optional<Kept> await(KeptRows.Place place, Predicate<Kept> enough)
            throws InterruptedException {
        while (true) {
            var kept = store.read(handle -> KeptRows.find(handle, place));
            if (kept.isEmpty() || enough.test(kept.get())) {
                return kept;
            }
            Thread.sleep(LOOK);
        }
    }

    /// Answers what a former server began and could not end. Call it once, before the first
    /// request.
    void settleUnfinished() {
        store.write(handle -> KeptRows.settle(handle, stopped()));
    }

    private static Kept.Answer answer(Throwable failure) {
        return switch (failure) {
            case Refusal refusal -> {
                var code = ErrorCode.of(refusal.reason());
                yield error(code.status(), code.word(), refusal.sentence());
            }
            case InterruptedException _ -> stopped();
            default ->
                    error(
                            500,
                            "internal",
                            "The first request with this key failed by a fault of ours. Look at its"
                                    + " execution, then use another key.");
        };
    }

    private static Kept.Answer stopped() {
        return error(
                503,
                "unavailable",
                "The server stopped while the first request with this key was under way. Look at"
                        + " its execution, then use another key.");
    }

    private static Kept.Answer error(int status, String word, String message) {
        return new Kept.Answer(status, Json.object().put("error", word).put("message", message));
    }

    private static String digest(JsonNode body) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(Json.bytes(body));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
