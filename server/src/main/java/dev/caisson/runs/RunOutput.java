package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.call.Remedy;
import dev.caisson.output.Spool;
import dev.caisson.output.SpooledOutput;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import java.util.List;
import java.util.Set;

/// Reader of the output of executions, for doors that show it as it comes.
public final class RunOutput {
    /// The tool whose rules of redaction hold for kept output, whichever door hands it out.
    public static final String TOOL = Remedy.READ_OUTPUT.word();

    private final Spool spool;
    private final Profile profile;
    private final Redaction redaction;
    private final Workers workers;

    public RunOutput(Spool spool, Profile profile, Redaction redaction, Workers workers) {
        this.redaction = redaction;
        this.workers = workers;
        this.spool = spool;
        this.profile = profile;
    }

    /// A stretch of a stream; an empty one when nothing was written or nothing is kept any more.
    ///
    /// @param owner the id of the caller the execution belongs to
    public SpooledOutput.Piece read(
            String owner, String executionId, Stream stream, long offset, int limit) {
        return spool.find(caller(owner), executionId)
                .map(spooled ->
                        new CallerWorkers(workers, owner)
                                .get(() -> spooled.read(stream, offset, limit, redactor(owner))))
                .orElse(SpooledOutput.Piece.NOTHING);
    }

    /// A stretch of the value that is kept with the output; an empty one when there is none.
    public SpooledOutput.Piece readValue(String owner, String executionId, long offset, int limit) {
        return spool.find(caller(owner), executionId)
                .map(spooled ->
                        new CallerWorkers(workers, owner)
                                .get(() ->
                                        spooled.readValue(
                                                offset, limit, redactor(owner).exactly())))
                .orElse(SpooledOutput.Piece.NOTHING);
    }

    /// A stretch of a stream while the execution goes on: only what can be shown already.
    public SpooledOutput.Piece follow(
            String owner, String executionId, Stream stream, long offset, int limit) {
        return spool.find(caller(owner), executionId)
                .map(spooled ->
                        new CallerWorkers(workers, owner)
                                .get(() -> spooled.follow(stream, offset, limit, redactor(owner))))
                .orElse(SpooledOutput.Piece.NOTHING);
    }

    /// In which order the streams were read, see [SpooledOutput#order].
    public List<SpooledOutput.Stretch> order(String owner, String executionId, long firstChunk) {
        return spool.find(caller(owner), executionId)
                .map(spooled -> spooled.order(firstChunk))
                .orElse(List.of());
    }

    public long storedBytes(String owner, String executionId, Stream stream) {
        return spool.find(caller(owner), executionId)
                .map(spooled -> spooled.storedBytes(stream))
                .orElse(0L);
    }

    /// How much of each stream the answer of a tool may have.
    int inlineBytes() {
        return spool.limits().answerBytes() / 2;
    }

    /// Whether what was kept of an execution when it ended is there still.
    ///
    /// @param stdout and `stderr`: how many bytes were kept
    public boolean isKept(String owner, String executionId, long stdout, long stderr) {
        return (stdout == 0 || storedBytes(owner, executionId, Stream.STDOUT) > 0)
                && (stderr == 0 || storedBytes(owner, executionId, Stream.STDERR) > 0);
    }

    /// The exact secrets of the run are not on the disk; these are the operator's, those its owner
    /// handed over since, and the patterns.
    Redactor redactor(String owner) {
        return redaction.ofKept(TOOL, owner, profile.secrets().values());
    }

    private static Caller caller(String id) {
        return new Caller(id, id, Set.of(), Set.of());
    }
}
