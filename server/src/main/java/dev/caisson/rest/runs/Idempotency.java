package dev.caisson.rest.runs;

import dev.caisson.call.Digests;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.http.ErrorCode;
import dev.caisson.json.Json;
import dev.caisson.rest.IdempotencyRetention;
import dev.caisson.rest.route.HttpProblem;
import dev.caisson.runs.LiveRun;
import dev.caisson.store.Store;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Idempotency of requests with a key: each is carried out once, however often it is sent, also
/// across a restart. What was refused before its program could run does not count: it can be sent
/// again.
public final class Idempotency {
    private static final String PREFIX = "sha256:";
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LOOK_MAX = Duration.ofMillis(500);

    private final Store store;
    private final IdempotencyRetention answers;
    private final KeyedDigest former;
    private final Clock clock;
    private final Map<IdempotencyRows.Place, ProgressSignal> underWay = new ConcurrentHashMap<>();

    /// @param former with which versions before this one compared bodies
    public Idempotency(Store store, IdempotencyRetention answers, KeyedDigest former, Clock clock) {
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
    Optional<IdempotencyRecord> claim(IdempotencyRows.Place place, JsonNode body, String traceId) {
        var fresh =
                new IdempotencyRecord(
                        digest(place, Json.bytes(body)),
                        traceId,
                        Optional.empty(),
                        Optional.empty());
        var now = clock.instant();
        var forgettable = answers.forgettable();
        if (!answers.hasRoom(place.owner())
                && store.read(handle -> IdempotencyRows.find(handle, place)).isEmpty()) {
            throw answers.refusal();
        }
        var found =
                store.write(handle -> {
                    IdempotencyRows.forget(handle, place, forgettable);
                    return IdempotencyRows.insert(handle, place, fresh, now, store.server())
                            ? Optional.<IdempotencyRecord>empty()
                            : IdempotencyRows.find(handle, place);
                });
        if (found.filter(kept -> !isOf(kept, place, Json.bytes(body))).isPresent()) {
            throw HttpProblem.mismatch();
        }
        return found;
    }

    /// Former versions kept a digest with the server's secret, and before that a plain one; each is
    /// told by its form.
    private boolean isOf(IdempotencyRecord kept, IdempotencyRows.Place place, byte[] body) {
        if (kept.digest().startsWith(PREFIX)) {
            return kept.digest().equals(digest(place, body));
        }
        return kept.digest()
                .equals(
                        KeyedDigest.isOne(kept.digest())
                                ? former.of(place.owner(), body)
                                : HexFormat.of().formatHex(Digests.sha256().digest(body)));
    }

    /// The same on every server with this database, whatever its secret is. The same body has
    /// another one under another key.
    private static String digest(IdempotencyRows.Place place, byte[] body) {
        var hash = Digests.sha256();
        for (var part : List.of(place.owner(), place.key())) {
            var bytes = part.getBytes(StandardCharsets.UTF_8);
            hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            hash.update(bytes);
        }
        return PREFIX + HexFormat.of().formatHex(hash.digest(body));
    }

    /// Keeps what becomes of the first request.
    CallListener witness(IdempotencyRows.Place place) {
        var signal = new ProgressSignal();
        underWay.put(place, signal);
        return new CallListener() {
            private boolean begun;

            @Override
            public void began(LiveRun run) {
                begun = true;
                store.write(handle -> IdempotencyRows.began(handle, place, run.id()));
                signal.advance();
            }

            @Override
            public void ended(RunResult result) {
                try {
                    answered(new IdempotencyRecord.Answer(200, result.json()));
                    answers.added(Json.text(result.json()).length());
                } finally {
                    over();
                }
            }

            @Override
            public void failed(Throwable failure) {
                try {
                    if (begun) {
                        answered(answer(failure));
                    } else {
                        store.write(handle -> IdempotencyRows.delete(handle, place));
                    }
                } finally {
                    over();
                }
            }

            private void over() {
                underWay.remove(place, signal);
                signal.advance();
            }

            private void answered(IdempotencyRecord.Answer answer) {
                store.write(handle -> IdempotencyRows.answered(handle, place, answer));
            }
        };
    }

    /// Waits until it has become an execution.
    ///
    /// @param meanwhile done at every look; what it throws ends the wait
    /// @return empty when it was refused before
    Optional<IdempotencyRecord> begun(IdempotencyRows.Place place, Runnable meanwhile)
            throws InterruptedException {
        return await(
                place,
                kept -> kept.executionId().isPresent() || kept.answer().isPresent(),
                meanwhile);
    }

    /// Waits until it has its answer.
    ///
    /// @param meanwhile done at every look; what it throws ends the wait
    /// @return empty when it was refused before its program could run
    Optional<IdempotencyRecord.Answer> answer(IdempotencyRows.Place place, Runnable meanwhile)
            throws InterruptedException {
        return await(place, kept -> kept.answer().isPresent(), meanwhile)
                .flatMap(IdempotencyRecord::answer);
    }

    /// Waits for the signal of a request that is under way in this process. One of another process
    /// is looked at less and less often, for every look costs a read of the store.
    private Optional<IdempotencyRecord> await(
            IdempotencyRows.Place place, Predicate<IdempotencyRecord> enough, Runnable meanwhile)
            throws InterruptedException {
        for (var pause = LOOK; ; pause = longer(pause)) {
            var signal = Optional.ofNullable(underWay.get(place));
            var seen = signal.map(ProgressSignal::steps).orElse(0L);
            var kept = store.read(handle -> IdempotencyRows.find(handle, place));
            if (kept.isEmpty() || enough.test(kept.get())) {
                return kept;
            }
            meanwhile.run();
            if (signal.isPresent()) {
                signal.get().awaitAfter(seen, LOOK_MAX);
            } else {
                Thread.sleep(pause);
            }
        }
    }

    private static Duration longer(Duration pause) {
        var next = pause.multipliedBy(5).dividedBy(4);
        return next.compareTo(LOOK_MAX) < 0 ? next : LOOK_MAX;
    }

    /// Answers what servers began that are gone.
    ///
    /// @return how many
    public int settleAbandoned() {
        return store.write(handle -> IdempotencyRows.settle(handle, stopped()));
    }

    private static IdempotencyRecord.Answer answer(Throwable failure) {
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

    private static IdempotencyRecord.Answer stopped() {
        return error(
                503,
                ErrorBody.of(
                        "unavailable",
                        "The server stopped while the first request with this key was under way."
                                + " Look at its execution, then use another key."));
    }

    private static IdempotencyRecord.Answer error(int status, ErrorBody body) {
        return new IdempotencyRecord.Answer(status, body.tree());
    }
}
