package dev.caisson.rest;

import dev.caisson.share.Part;
import dev.caisson.share.Share;
import dev.caisson.tools.LiveRuns;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Answers a request that was made before with the same key, in the form it is wanted in now.
final class Repetition {
    static final String HEADER = "Idempotent-Replayed";

    /// How many wait at once for what an earlier request becomes. Each costs looks at the store.
    static final int WAITING_MAX = 128;

    private final Idempotency idempotency;
    private final LiveRuns runs;
    private final Showing showing;
    private final Share waiting;

    Repetition(Idempotency idempotency, LiveRuns runs, Showing showing, Part part) {
        waiting =
                new Share(
                        "repetitions",
                        "requests that wait for an earlier one with their Idempotency-Key",
                        WAITING_MAX,
                        part);
        this.idempotency = idempotency;
        this.runs = runs;
        this.showing = showing;
    }

    /// Waits no longer than the client does.
    ///
    /// @return empty when the one before was refused before its program could run
    /// @throws dev.caisson.call.Refusal NO_CAPACITY when too many of this caller's wait already
    Optional<Response> answer(Ask ask, Order order, KeptRows.Place place)
            throws InterruptedException {
        Runnable presence = () -> Presence.require(ask.exchange());
        try (var _ = waiting.take(ask.caller().id(), 1)) {
            return switch (order.delivery()) {
                case INLINE -> idempotency.answer(place, presence).map(Repetition::whole);
                case STREAMING -> streamed(ask, order, place, presence);
                case ASYNC, WEBHOOK -> idempotency.begun(place, presence).map(Repetition::accepted);
            };
        }
    }

    private static Response whole(Kept.Answer answer) {
        return answer.response().with(HEADER, "true");
    }

    private static Response accepted(Kept kept) {
        return kept.executionId()
                .map(id -> Accepted.running(kept.traceId(), id).response().with(HEADER, "true"))
                .orElseGet(() -> kept.answer().orElseThrow().response().with(HEADER, "true"));
    }

    /// Goes on with the run when it is under way, and shows it again when it is over.
    private Optional<Response> streamed(
            Ask ask, Order order, KeptRows.Place place, Runnable presence)
            throws InterruptedException {
        var kept = idempotency.begun(place, presence);
        var run = kept.flatMap(Kept::executionId).flatMap(runs::find);
        if (run.isPresent()) {
            return Optional.of(
                    showing.show(
                            Events.replayed(ask, order.format()),
                            Shown.of(run.get(), kept.orElseThrow().traceId()),
                            run,
                            () -> result(place)));
        }
        return idempotency
                .answer(place, presence)
                .map(answer -> answer.failed() ? whole(answer) : past(ask, order, answer));
    }

    private Response past(Ask ask, Order order, Kept.Answer answer) {
        return showing.show(
                Events.replayed(ask, order.format()),
                Shown.of(ask.caller().id(), answer.body()),
                Optional.empty(),
                answer::body);
    }

    private JsonNode result(KeptRows.Place place) throws InterruptedException {
        var answer = idempotency.answer(place, () -> {}).orElseThrow();
        if (answer.failed()) {
            throw new Problem(answer.response());
        }
        return answer.body();
    }
}
