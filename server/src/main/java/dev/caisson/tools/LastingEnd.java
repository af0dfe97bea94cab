package dev.caisson.tools;

import dev.caisson.call.Durable;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Completion;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The end of a run, on its way to the disk. When it cannot be written its caller hears that the
/// program ran all the same, and writing it is tried again until it succeeds or the server ends:
/// then the next start settles it.
final class LastingEnd implements Durable {
    private static final Logger LOG = LoggerFactory.getLogger(LastingEnd.class);

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    /// Somebody else may have settled it by then.
    private static final int TRIES = 100;

    private final Journal journal;
    private final String id;
    private final Completion completion;
    private final Durable first;

    LastingEnd(Journal journal, String id, Completion completion) {
        this.journal = journal;
        this.id = id;
        this.completion = completion;
        this.first = firstTry();
    }

    private Durable firstTry() {
        try {
            return journal.end(id, completion);
        } catch (RuntimeException refused) {
            return Durable.failed(refused);
        }
    }

    @Override
    public void await() {
        try {
            first.await();
        } catch (RuntimeException failed) {
            LOG.warn("the end of {} cannot be written; it will be tried again", id, failed);
            Thread.ofVirtual().name("end-of-" + id).start(this::tryAgain);
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "The program ran, but the store could not keep its result. Look at execution "
                            + id
                            + " before you run it again.",
                    Map.of("execution_id", id));
        }
    }

    private void tryAgain() {
        var pause = PAUSE_FIRST;
        for (int time = 0; time < TRIES; time++) {
            try {
                Thread.sleep(pause);
                journal.end(id, completion).await();
                return;
            } catch (InterruptedException ended) {
                return;
            } catch (RuntimeException again) {
                LOG.debug("the end of {} still cannot be written", id, again);
                var twice = pause.multipliedBy(2);
                pause = twice.compareTo(PAUSE_MAX) < 0 ? twice : PAUSE_MAX;
            }
        }
        LOG.error("the end of {} was never written", id);
    }

    @Override
    public boolean isWaiting() {
        return first.isWaiting();
    }

    @Override
    public void then(Next next) {
        first.then(next);
    }
}
