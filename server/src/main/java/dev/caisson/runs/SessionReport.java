package dev.caisson.runs;

import dev.caisson.json.Describe;
import dev.caisson.session.SessionCallResult;
import java.util.Locale;
import java.util.Optional;

/// Report of what became of a session in a call.
record SessionReport(
        @Describe(
                        "new: there was none before. kept: everything earlier calls left is there."
                                + " restarted: the one before has ended, and nothing of it is left.")
                String state,
        @Describe("Why it was restarted: how the one before ended.") Optional<String> reason,
        @Describe("Whether the next call finds what this one left.") boolean alive,
        @Describe("How this call ended the session.") Optional<String> ended) {
    static SessionReport of(SessionCallResult turn) {
        return new SessionReport(
                turn.state().name().toLowerCase(Locale.ROOT),
                turn.why(),
                turn.ended().isEmpty(),
                turn.ended());
    }

    /// The same for a reader.
    static String sentence(SessionCallResult turn) {
        return begun(turn) + turn.ended().map(SessionReport::lost).orElse("");
    }

    private static String begun(SessionCallResult turn) {
        return switch (turn.state()) {
            case NEW -> "new.";
            case KEPT -> "kept.";
            case RESTARTED ->
                    "restarted, and nothing of the one before is left, because "
                            + turn.why().orElse("it ended")
                            + ".";
        };
    }

    private static String lost(String why) {
        return " It has ended, because " + why + ": its variables are lost, its files are not.";
    }
}
