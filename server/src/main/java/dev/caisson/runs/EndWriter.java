package dev.caisson.runs;

import dev.caisson.call.Durable;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Completion;
import dev.caisson.executions.RunJournal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writer of the end of a run, which tries again. When it cannot be written its caller hears that
/// the program ran all the same, and writing it is tried again until it succeeds or the server
/// ends: then the next start settles it.
final class EndWriter implements Durable {
    private static final Logger LOG = LoggerFactory.getLogger(EndWriter.class);

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    /// Somebody else may have settled it by then.
    private static final int TRIES = 100;

    private final RunJournal journal;
    private final String id;
    private final Completion completion;
    private final Optional<byte[]> output;
    private final Durable first;

    /// @param output that is kept with it
    EndWriter(RunJournal journal, String id, Completion completion, Optional<byte[]> output) {
        this.journal = journal;
        this.id = id;
        this.completion = completion;
        this.output = output;
        this.first = firstTry();
    }

    private Durable firstTry() {
        try {
            return journal.finish(id, completion, output);
        } catch (RuntimeException refused) {
            return Durable.failed(refused);
        }
    }

    @Override
    public void await() {
        try {
            first.await();
        } catch (RuntimeException failed) {
            LOG.warn("the end of {} could not be written; retrying", id, failed);
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
                journal.finish(id, completion, output).await();
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
