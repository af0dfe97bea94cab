package dev.caisson.rest;

import dev.caisson.tools.LiveRuns;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Makes attempts, and ends those under way when the server stops.
final class Attempts implements AutoCloseable {
    /// How long an attempt has to end, once it is told to.
    private static final Duration ENDING = Duration.ofSeconds(10);

    private final ToolDoor tools;
    private final LiveRuns runs;
    private final Set<Attempt> underWay = ConcurrentHashMap.newKeySet();

    Attempts(ToolDoor tools, LiveRuns runs) {
        this.tools = tools;
        this.runs = runs;
    }

    Attempt start(Order order, Ask ask, Witness witness) {
        var body = ask.exchange().keepBody();
        var attempt =
                Attempt.of(
                        ask.exchange().trace(),
                        witness,
                        each -> tools.call(call(each, order, ask), Execute.TOOL, order.arguments()),
                        over -> {
                            underWay.remove(over);
                            body.close();
                        });
        underWay.add(attempt);
        attempt.start();
        return attempt;
    }

    private RestCall call(Attempt attempt, Order order, Ask ask) {
        return new RestCall(
                ask.caller(),
                ask.exchange().traceContext(),
                order.delivery(),
                order.isFollowed(),
                id -> attempt.began(runs.find(id).orElseThrow()),
                ask.exchange()::note);
    }

    @Override
    public void close() {
        underWay.forEach(Attempt::cancel);
        try {
            for (var attempt : underWay) {
                attempt.join(ENDING);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
