package dev.caisson.rest.runs;

import dev.caisson.rest.route.HttpProblem;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.LiveRuns;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.util.Optional;

/// Answer to a request that was made before with the same key, in the form it is wanted in now.
public final class RepeatedRequest {
    static final String HEADER = "Idempotent-Replayed";

    /// How many wait at once for what an earlier request becomes. Each costs looks at the store.
    static final int WAITING_MAX = 128;

    private final Idempotency idempotency;
    private final LiveRuns runs;
    private final RunStream showing;
    private final Share waiting;

    public RepeatedRequest(
            Idempotency idempotency, LiveRuns runs, RunStream showing, ShareLimit part) {
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
    Optional<Response> answer(RouteRequest ask, RunOrder order, IdempotencyRows.Place place)
            throws InterruptedException {
        Runnable presence = () -> DisconnectWatch.require(ask.exchange());
        try (var _ = waiting.take(ask.caller().id(), 1)) {
            return switch (order.delivery()) {
                case INLINE -> idempotency.answer(place, presence).map(RepeatedRequest::whole);
                case STREAMING -> streamed(ask, order, place, presence);
                case ASYNC, WEBHOOK ->
                        idempotency.begun(place, presence).map(RepeatedRequest::accepted);
            };
        }
    }

    private static Response whole(IdempotencyRecord.Answer answer) {
        return answer.response().with(HEADER, "true");
    }

    private static Response accepted(IdempotencyRecord kept) {
        return kept.executionId()
                .map(id -> AcceptedRun.running(kept.traceId(), id).response().with(HEADER, "true"))
                .orElseGet(() -> kept.answer().orElseThrow().response().with(HEADER, "true"));
    }

    /// Goes on with the run when it is under way, and shows it again when it is over.
    private Optional<Response> streamed(
            RouteRequest ask, RunOrder order, IdempotencyRows.Place place, Runnable presence)
            throws InterruptedException {
        var kept = idempotency.begun(place, presence);
        var run = kept.flatMap(IdempotencyRecord::executionId).flatMap(runs::find);
        if (run.isPresent()) {
            return Optional.of(
                    showing.show(
                            EventWriter.replayed(ask, order.format()),
                            StreamedRun.of(run.get(), kept.orElseThrow().traceId()),
                            run,
                            () -> result(place)));
        }
        return idempotency
                .answer(place, presence)
                .map(answer -> answer.failed() ? whole(answer) : past(ask, order, answer));
    }

    private Response past(RouteRequest ask, RunOrder order, IdempotencyRecord.Answer answer) {
        return showing.show(
                EventWriter.replayed(ask, order.format()),
                StreamedRun.kept(ask.caller().id(), answer.body()),
                Optional.empty(),
                () -> RunResult.kept(answer.body()));
    }

    private RunResult result(IdempotencyRows.Place place) throws InterruptedException {
        var answer = idempotency.answer(place, () -> {}).orElseThrow();
        if (answer.failed()) {
            throw new HttpProblem(answer.response());
        }
        return RunResult.kept(answer.body());
    }
}
