package dev.caisson.share;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;

/// The way of one caller to the threads that compute.
///
/// @param caller whose turns are taken
public record CallerWorkers(Workers workers, String caller) {
    /// @see Workers#run
    public <T, X extends Exception> T run(Workers.Work<T, X> work) throws X, InterruptedException {
        return workers.run(caller, work);
    }

    /// The same for those who have nowhere to say that they were interrupted: it stays noted.
    ///
    /// @throws Refusal LEFT when interrupted
    public <T, X extends Exception> T get(Workers.Work<T, X> work) throws X {
        try {
            return workers.run(caller, work);
        } catch (InterruptedException ended) {
            throw left();
        }
    }

    /// The same for steps.
    ///
    /// @throws Refusal LEFT when interrupted
    public <X extends Exception> void finish(Workers.Steps<X> steps) throws X {
        try {
            workers.runAll(caller, steps);
        } catch (InterruptedException ended) {
            throw left();
        }
    }

    private static Refusal left() {
        Thread.currentThread().interrupt();
        return new Refusal(Reason.LEFT, "The request ended before its answer was ready.");
    }

    /// @see Workers#runAll
    public <X extends Exception> void runAll(Workers.Steps<X> steps)
            throws X, InterruptedException {
        workers.runAll(caller, steps);
    }

    /// @see Workers#runSlice
    public <X extends Exception> boolean runSlice(Workers.Steps<X> steps)
            throws X, InterruptedException {
        return workers.runSlice(caller, steps);
    }
}
