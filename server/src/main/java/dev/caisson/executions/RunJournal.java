package dev.caisson.executions;

import dev.caisson.call.Durable;
import java.util.Optional;

/// Journal of runs: the part of [ExecutionRecords] that a run writes to.
public interface RunJournal {
    /// To be called before the program runs, which may begin when this is noted.
    ///
    /// @param id a fresh one
    /// @param followed whether somebody hears of it before it ends; then it is in the database when
    ///   it is noted
    StartTicket start(
            String id, String owner, ExecutionRequest request, String code, boolean followed);

    /// Writes the end with the next commit; the caller may get the answer when it is durable. An
    /// execution that was settled or finished before stays as it is.
    ///
    /// @param output that the record is to keep, where it is small; a form that only its reader
    ///   knows
    Durable finish(String id, Completion completion, Optional<byte[]> output);

    /// The same for one whose output is elsewhere.
    default Durable finish(String id, Completion completion) {
        return finish(id, completion, Optional.empty());
    }
}
