package dev.caisson.runs;

import dev.caisson.call.Content;
import dev.caisson.call.EarlyAnswer;
import dev.caisson.call.Remedy;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.json.Sparse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Report of a run that goes on in the background: its new output, and how to go on.
@Sparse
public record RunningReport(
        String executionId,
        @Describe("The program runs on.") Running status,
        @Describe("What is new, or its beginning and its end.") Optional<String> stdout,
        Optional<String> stderr,
        @Describe("For since of the next execution_wait: output that was given is not repeated.")
                String nextSince,
        @Describe("How to go on.") String advice) {
    /// The one status of a run that has not ended.
    public enum Running {
        RUNNING
    }

    /// @param running for how long
    static RunningReport of(String id, NewOutput output, Duration running) {
        return new RunningReport(
                id,
                Running.RUNNING,
                written(output.stdout()),
                written(output.stderr()),
                output.next().text(),
                sentence(id, output.next(), running));
    }

    private static Optional<String> written(String output) {
        return Optional.of(output).filter(text -> !text.isEmpty());
    }

    private static String sentence(String id, OutputCursor next, Duration running) {
        var seconds = running.toSeconds();
        var since = next.equals(OutputCursor.START) ? "" : " and since " + next.text();
        return (seconds > 0 ? "Still running after " + seconds + " s" : "Running in the background")
                + ": call %s with execution_id %s%s for more, or %s to end it."
                        .formatted(
                                Remedy.WAIT_FOR_EXECUTION.word(),
                                id,
                                since,
                                Remedy.CANCEL_EXECUTION.word());
    }

    /// The same as text for a reader.
    public String text() {
        return block("stdout", stdout) + block("stderr", stderr) + advice;
    }

    private static String block(String name, Optional<String> output) {
        return output.map(text -> ExecutionText.fenced(name, text) + "\n\n").orElse("");
    }

    /// As the answer of a tool whose text is that of this report.
    public EarlyAnswer answer() {
        return new EarlyAnswer(List.of(Content.text(text())), Records.tree(this));
    }
}
