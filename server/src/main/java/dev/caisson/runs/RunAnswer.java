package dev.caisson.runs;

import dev.caisson.executions.Attempt;
import dev.caisson.executions.Ended;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.json.Describe;
import dev.caisson.json.Except;
import dev.caisson.json.Inline;
import dev.caisson.json.Sparse;
import dev.caisson.output.CapturedStream;
import dev.caisson.session.SessionCallResult;
import dev.caisson.storage.WorkspaceFile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answer about an execution that a model reads: how it ended, what it wrote and changed, and what
/// to do next. Nothing stands there twice, and nothing that is as expected. The rest is in an
/// [ExecutionReport] and in [RunFigures].
@Sparse
public record RunAnswer(
        @Except("running") ExecutionStatus status,
        Optional<Integer> exitCode,
        Optional<String> signal,
        @Describe("Why it was stopped.") Optional<String> message,
        Optional<String> stdout,
        Optional<String> stderr,
        @Describe("Left out of stdout; output_read has them.") Optional<Long> stdoutOmittedBytes,
        Optional<Long> stderrOmittedBytes,
        @Describe("Made or changed by this run.") Optional<List<ChangedFile>> files,
        @Describe("How many more.") Optional<Integer> filesOmitted,
        @Describe("false: erased, for want of a thread_id.") Optional<Boolean> filesKept,
        Optional<Handed> result,
        @Describe("The last expression.") Optional<String> display,
        Optional<SessionState> session,
        Optional<String> executionId,
        @Describe("What to do now.") Optional<String> advice,
        Optional<Attempt> attempt,
        @Inline Given given) {
    /// More changed files than this are counted and not listed.
    public static final int FILES_MAX = 20;

    /// File that the run made or changed.
    ///
    /// @param path from the root of the workspace
    public record ChangedFile(String path, long size) {
        static ChangedFile of(FinishedRun run, WorkspaceFile file) {
            return new ChangedFile(run.shown(file), file.size());
        }
    }

    /// Value that the program handed over.
    @Sparse
    public record Handed(
            Optional<JsonNode> data,
            @Describe("Why data is not here, or not all.") Optional<String> dataNote,
            Optional<ReturnedValue.DataFile> dataFile,
            @Describe("For output_read with stream data.") Optional<Long> dataStoredBytes) {
        public static Handed of(ReturnedValue value) {
            return new Handed(
                    value.data(), value.note(), value.dataFile(), positive(value.keptBytes()));
        }
    }

    /// What became of the session.
    ///
    /// @param state new, kept or restarted
    @Sparse
    public record SessionState(
            String state,
            @Describe("Why it was restarted.") Optional<String> reason,
            @Describe("Why it is over.") Optional<String> ended) {
        static SessionState of(SessionCallResult turn) {
            return new SessionState(
                    turn.state().name().toLowerCase(Locale.ROOT), turn.why(), turn.ended());
        }
    }

    /// What the call gave to be handed back.
    @Sparse
    public record Given(
            Optional<ObjectNode> metadata,
            Optional<String> artifactId,
            Optional<String> artifactPath,
            Optional<String> ssotDocumentId,
            Optional<String> ssotCommit) {
        public static Given of(Envelope envelope) {
            var provenance = envelope.provenance();
            return new Given(
                    envelope.metadata(),
                    provenance.artifactId(),
                    provenance.artifactPath(),
                    provenance.ssotDocumentId(),
                    provenance.ssotCommit());
        }
    }

    /// @param envelope as it may be shown
    public static RunAnswer of(FinishedRun run, Envelope envelope) {
        var ended = run.ending();
        var output = run.output();
        return new RunAnswer(
                ended.status(),
                ended.exitCode(),
                ended.signal(),
                ended.sentence(),
                written(output.stdout()),
                written(output.stderr()),
                positive(output.stdout().excerpt().omittedBytes()),
                positive(output.stderr().excerpt().omittedBytes()),
                files(run),
                omitted(run),
                run.changed().isEmpty() || run.keepsFiles() ? Optional.empty() : Optional.of(false),
                run.value().map(Handed::of),
                Optional.of(Displays.plain(run.display())).filter(text -> !text.isEmpty()),
                run.turn().map(SessionState::of),
                needsId(run, ended) ? Optional.of(run.id()) : Optional.empty(),
                run.advice(),
                run.attempt(),
                Given.of(envelope));
    }

    /// Whoever reads that it failed, or less than all of it, may want to read more.
    private static boolean needsId(FinishedRun run, Ended ended) {
        return !ended.succeeded() || run.hasMore();
    }

    private static Optional<String> written(CapturedStream stream) {
        return Optional.of(stream.excerpt().text()).filter(text -> !text.isEmpty());
    }

    private static Optional<Long> positive(long number) {
        return number > 0 ? Optional.of(number) : Optional.empty();
    }

    private static Optional<List<ChangedFile>> files(FinishedRun run) {
        return run.changed().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        run.changed().stream()
                                .limit(FILES_MAX)
                                .map(file -> ChangedFile.of(run, file))
                                .toList());
    }

    private static Optional<Integer> omitted(FinishedRun run) {
        var more = run.changed().size() - FILES_MAX;
        return more > 0 ? Optional.of(more) : Optional.empty();
    }
}
