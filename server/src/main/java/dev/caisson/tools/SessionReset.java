package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Content;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.sandbox.Language;
import dev.caisson.session.Sessions;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Ends the sessions of a thread, also one in which a program runs right now.
public final class SessionReset implements Tool {
    static final String NAME = "session_reset";

    private final Sessions sessions;
    private final ToolSpec spec;

    record Input(
            @Describe("The thread whose session is to end.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String threadId,
            @Describe("Only the session in this language; all of the thread's if absent.")
                    Optional<Language> language) {}

    /// @param ended the languages whose sessions there were
    record Output(String threadId, List<Language> ended) {}

    public SessionReset(Sessions sessions) {
        this.sessions = sessions;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "End a session",
                                "Ends the session of a thread, with everything that runs in it: its"
                                        + " variables and background processes are lost, its files"
                                        + " are kept. The next call with session begins a new one.",
                                SchemaOf.record(Input.class))
                        .returning(SchemaOf.result(Output.class))
                        .within(Scope.RUN);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) {
        var input = Records.read(arguments, Input.class);
        NulCheck.require("thread_id", input.threadId());
        var ended = sessions.reset(call.caller(), input.threadId(), input.language());
        var output = new Output(input.threadId(), ended);
        return new ToolResult(
                List.of(Content.text(sentence(ended))), Optional.of(Records.tree(output)), false);
    }

    private static String sentence(List<Language> ended) {
        return ended.isEmpty()
                ? "There was no session to end."
                : "The session has ended: "
                        + String.join(", ", ended.stream().map(Language::word).toList())
                        + ".";
    }
}
