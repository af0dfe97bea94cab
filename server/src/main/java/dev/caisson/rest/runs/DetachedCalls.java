package dev.caisson.rest.runs;

import dev.caisson.call.BoundedClose;
import dev.caisson.call.Call;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.LiveRuns;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Registry of detached calls under way, which end when the server stops.
public final class DetachedCalls implements BoundedClose {
    private final ToolDoor tools;
    private final LiveRuns runs;
    private final Set<DetachedCall> underWay = ConcurrentHashMap.newKeySet();

    public DetachedCalls(ToolDoor tools, LiveRuns runs) {
        this.tools = tools;
        this.runs = runs;
    }

    /// On a thread of its own.
    DetachedCall start(RunOrder order, RouteRequest ask, CallListener witness) {
        var attempt = make(order, ask, witness);
        attempt.start();
        return attempt;
    }

    /// On the current thread, until it is over.
    DetachedCall run(RunOrder order, RouteRequest ask, CallListener witness) {
        var attempt = make(order, ask, witness);
        attempt.runHere();
        return attempt;
    }

    private DetachedCall make(RunOrder order, RouteRequest ask, CallListener witness) {
        var body = ask.exchange().keepBody();
        var attempt =
                DetachedCall.of(
                        ask.exchange().trace(),
                        witness,
                        each -> tools.run(call(each, order, ask), order.arguments()),
                        over -> {
                            underWay.remove(over);
                            body.close();
                        });
        underWay.add(attempt);
        return attempt;
    }

    private Call call(DetachedCall attempt, RunOrder order, RouteRequest ask) {
        return RestConversation.call(
                ask,
                order.delivery(),
                order.isFollowed(),
                id -> attempt.began(runs.find(id).orElseThrow()));
    }

    /// All of them share the time.
    @Override
    public void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        underWay.forEach(DetachedCall::cancel);
        try {
            for (var attempt : underWay) {
                attempt.awaitOver(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
