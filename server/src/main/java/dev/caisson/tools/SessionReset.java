package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Remedy;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.runs.NulCheck;
import dev.caisson.sandbox.Language;
import dev.caisson.session.Sessions;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;

/// Tool that ends the sessions of a thread, also one in which a program runs right now.
public final class SessionReset {
    private final Sessions sessions;

    private SessionReset(Sessions sessions) {
        this.sessions = sessions;
    }

    record Input(
            @Length(min = 1, max = Threads.ID_LENGTH_MAX) String threadId,
            @Describe("All if absent.") Optional<Language> language) {}

    /// @param ended the languages whose sessions there were
    record Output(String threadId, List<Language> ended) {}

    public static Tool tool(Sessions sessions) {
        return TypedTool.of(
                ToolSpec.named(
                                Remedy.RESET_SESSION.word(),
                                "End a session",
                                "Ends the sessions of a thread: variables and background processes are"
                                        + " lost, files are kept.")
                        .within(Scope.RUN),
                Input.class,
                Output.class,
                new SessionReset(sessions)::reset);
    }

    private Answer<Output> reset(Call call, Input input) {
        NulCheck.require("thread_id", input.threadId());
        var ended = sessions.reset(call.caller(), input.threadId(), input.language());
        return Answer.of(new Output(input.threadId(), ended), sentence(ended));
    }

    private static String sentence(List<Language> ended) {
        return ended.isEmpty()
                ? "There was no session to end."
                : "The session has ended: "
                        + String.join(", ", ended.stream().map(Language::word).toList())
                        + ".";
    }
}
