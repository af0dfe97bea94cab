package dev.caisson.executions;

import dev.caisson.store.JournalKind;
import dev.caisson.store.Transaction;
import dev.caisson.workflow.StoredProcesses;
import java.util.List;
import java.util.Optional;

/// Ends of runs as a kind of record of the journal.
///
/// @param lost what others write who take a run of a dead process for lost; an end that is found
///   later takes its place
record JournaledRuns(StoredProcesses processes, EndTransition lost)
        implements JournalKind<EndedRun> {
    private static final byte CODE = 1;

    @Override
    public byte code() {
        return CODE;
    }

    @Override
    public byte[] form(EndedRun item) {
        return item.form();
    }

    @Override
    public EndedRun read(byte[] form) {
        return EndedRun.read(form);
    }

    @Override
    public void write(Transaction transaction, List<EndedRun> items) {
        items.forEach(run -> write(transaction, run));
    }

    /// @return whether it was not there, or went on there
    private boolean write(Transaction transaction, EndedRun run) {
        var end = run.end();
        return run.start()
                .map(begun ->
                        processes.move(
                                transaction,
                                begun.birth(),
                                end.step(),
                                end.moment(),
                                (handle, _) ->
                                        ExecutionRows.insert(handle, begun, Optional.of(end)),
                                end.effect()))
                .orElseGet(() ->
                        processes.move(
                                transaction, run.id(), end.step(), end.moment(), end.effect()))
                .isPresent();
    }

    @Override
    public void replay(Transaction transaction, List<EndedRun> items) {
        for (var run : items) {
            var end = run.end();
            if (!write(transaction, run)) {
                processes.correct(
                        transaction,
                        run.id(),
                        lost.step(),
                        end.step(),
                        end.moment(),
                        (handle, process) -> {
                            ExecutionRows.takeBack(handle, process.id(), lost);
                            end.effect().on(handle, process);
                        });
            }
        }
    }
}
