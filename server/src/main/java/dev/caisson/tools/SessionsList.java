package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Remedy;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.runs.Quantities;
import dev.caisson.sandbox.Language;
import dev.caisson.session.SessionInfo;
import dev.caisson.session.Sessions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tool that lists the caller's live sessions.
public final class SessionsList {
    private final Sessions sessions;

    private SessionsList(Sessions sessions) {
        this.sessions = sessions;
    }

    record Input() {}

    record Output(List<Entry> sessions) {}

    record Entry(
            String threadId,
            Language language,
            String begunAt,
            String lastUsedAt,
            long idleSeconds,
            @Describe("Memory in use now, where it is measured.") Optional<Long> memoryBytes,
            @Describe("Whether a program runs in it.") boolean busy) {
        static Entry of(SessionInfo info) {
            return new Entry(
                    info.threadId(),
                    info.language(),
                    info.begun().toString(),
                    info.lastUsed().toString(),
                    info.idle().toSeconds(),
                    info.memoryBytes(),
                    info.busy());
        }

        String sentence() {
            return "%s in %s: %s%s"
                    .formatted(
                            threadId,
                            language.word(),
                            busy ? "in use" : "idle for " + idleSeconds + " s",
                            memoryBytes.map(bytes -> ", " + Quantities.bytes(bytes)).orElse(""));
        }
    }

    public static Tool tool(Sessions sessions) {
        return TypedTool.of(
                ToolSpec.named(
                                Remedy.LIST_SESSIONS.word(),
                                "List sessions",
                                "Lists your live sessions. %s ends one."
                                        .formatted(Remedy.RESET_SESSION.word()))
                        .hinted(Hints.READS)
                        .within(Scope.RUN),
                Input.class,
                Output.class,
                (call, _) -> new SessionsList(sessions).list(call));
    }

    private Answer<Output> list(Call call) {
        var own = sessions.list(Optional.of(call.caller().id())).stream().map(Entry::of).toList();
        return Answer.of(
                new Output(own),
                own.isEmpty()
                        ? "You have no sessions."
                        : own.stream().map(Entry::sentence).collect(Collectors.joining("\n")));
    }
}
