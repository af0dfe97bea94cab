package dev.caisson.rest.runs;

import dev.caisson.runs.LiveRun;
import java.util.List;

/// Listener to a detached call, on the thread that makes it and before anybody else: what it does
/// is done when the call goes on. Of the last two it is told exactly one.
interface CallListener {
    CallListener NONE = all(List.of());

    /// The program is about to run, or runs, and its record is durable.
    void began(LiveRun run);

    void ended(RunResult result);

    /// It was refused, or failed by our fault, before it began or later.
    void failed(Throwable failure);

    static CallListener all(List<CallListener> witnesses) {
        return new CallListener() {
            @Override
            public void began(LiveRun run) {
                witnesses.forEach(witness -> witness.began(run));
            }

            @Override
            public void ended(RunResult result) {
                witnesses.forEach(witness -> witness.ended(result));
            }

            @Override
            public void failed(Throwable failure) {
                witnesses.forEach(witness -> witness.failed(failure));
            }
        };
    }
}
