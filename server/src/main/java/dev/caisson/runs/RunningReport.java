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
        @Describe("The program runs on, or waits for a person.") Running status,
        @Describe("What is new, or its beginning and its end.") Optional<String> stdout,
        Optional<String> stderr,
        @Describe("For since of the next execution_wait: output that was given is not repeated.")
                String nextSince,
        @Describe("What people must decide on before it goes on.")
                Optional<List<Awaited>> approvals,
        @Describe("How to go on.") String advice) {
    /// States of a run that has not ended.
    public enum Running {
        RUNNING,
        /// It does nothing until a person decides.
        WAITING_APPROVAL
    }

    /// Approval that is waited for.
    public record Awaited(String id, String url) {
        static Awaited of(String id) {
            return new Awaited(id, "/v1/approvals/" + id);
        }
    }

    /// @param running for how long
    /// @param awaited approvals, if nothing else is waited for
    static RunningReport of(String id, NewOutput output, Duration running, List<String> awaited) {
        return new RunningReport(
                id,
                awaited.isEmpty() ? Running.RUNNING : Running.WAITING_APPROVAL,
                written(output.stdout()),
                written(output.stderr()),
                output.next().text(),
                awaited.isEmpty()
                        ? Optional.empty()
                        : Optional.of(awaited.stream().map(Awaited::of).toList()),
                waiting(awaited) + sentence(id, output.next(), running));
    }

    private static String waiting(List<String> awaited) {
        return awaited.isEmpty()
                ? ""
                : "The program waits for a person to decide on %s. "
                        .formatted(
                                awaited.size() == 1
                                        ? "the approval " + awaited.getFirst()
                                        : awaited.size() + " approvals");
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
