package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.executions.Ended;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.Provenance;
import dev.caisson.executions.RunUsage;
import dev.caisson.output.CapturedOutput;
import dev.caisson.output.CapturedStream;
import dev.caisson.redact.Redaction;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Runner;
import dev.caisson.storage.Listing;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Results of background runs in memory: whose they are, and which are dropped when there are too
/// many.
class EndedRunsTest {
    private static final Envelope ENVELOPE =
            new Envelope("", "", "", "", "", Provenance.NONE, Optional.empty());

    @Test
    void a_result_is_its_owners_alone() {
        var ended = new EndedRuns();
        ended.keep("alice", run("exe_1", 0), ENVELOPE);
        assertThat(ended.find("alice", "exe_1")).isPresent();
        assertThat(ended.find("bob", "exe_1")).isEmpty();
        assertThat(ended.find("alice", "exe_2")).isEmpty();
    }

    @Test
    void the_caller_with_most_loses_its_oldest_first() {
        var ended = new EndedRuns(100_000);
        ended.keep("bob", run("exe_b", 10_000), ENVELOPE);
        ended.keep("alice", run("exe_1", 30_000), ENVELOPE);
        ended.keep("alice", run("exe_2", 30_000), ENVELOPE);
        assertThat(ended.find("alice", "exe_1")).isPresent();

        ended.keep("alice", run("exe_3", 30_000), ENVELOPE);
        assertThat(ended.find("alice", "exe_1")).isEmpty();
        assertThat(ended.find("alice", "exe_2")).isPresent();
        assertThat(ended.find("alice", "exe_3")).isPresent();
        assertThat(ended.find("bob", "exe_b")).isPresent();

        ended.keep("alice", run("exe_4", 200_000), ENVELOPE);
        assertThat(ended.find("alice", "exe_4")).as("larger than all there is").isEmpty();
        assertThat(ended.find("bob", "exe_b")).isPresent();
    }

    private static FinishedRun run(String id, int imageBytes) {
        var nothing = new CapturedStream(0, "", 0, 0, true, new CapturedStream.Excerpt("", 0));
        var picture = new Picture("image/png", new byte[imageBytes]);
        return new FinishedRun(
                id,
                new Runner("bash", Language.BASH, "5", "host"),
                Optional.empty(),
                new Ended(
                        ExecutionStatus.SUCCESS,
                        Optional.of(0),
                        Optional.empty(),
                        Optional.empty()),
                RunUsage.NOTHING,
                new CapturedOutput(nothing, nothing, 0),
                Optional.empty(),
                new FinishedRun.WorkspaceAfter(Listing.EMPTY, List.of(), List.of(picture)),
                0,
                Redaction.standard().idle(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
