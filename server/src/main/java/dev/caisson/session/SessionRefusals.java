package dev.caisson.session;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Refusals of a session for which there is no room: they name what the caller has and how to end
/// it.
final class SessionRefusals {
    /// Sessions that a refusal names.
    static final int NAMED_MAX = 10;

    /// Characters of a thread's id in a sentence.
    private static final int ID_SHOWN = 64;

    private SessionRefusals() {}

    /// @param own sessions of the caller, none of which may give way
    static Refusal noRoom(SessionLimits limits, List<SessionInfo> own) {
        return new Refusal(
                Reason.NO_CAPACITY,
                (own.isEmpty() ? full(limits) : busy(own))
                        + " Run without session, or try again later: a session that is not used for "
                        + limits.idle().toSeconds()
                        + " s ends.",
                Map.of("status", "no_capacity", "retryable", true, "share", "sessions"));
    }

    private static String full(SessionLimits limits) {
        return limits.total() == 0 || limits.perCaller() == 0
                ? "This server keeps no sessions."
                : "There is no room for another session: other keys have it all.";
    }

    private static String busy(List<SessionInfo> own) {
        var names =
                own.stream()
                        .limit(NAMED_MAX)
                        .map(SessionRefusals::name)
                        .collect(Collectors.joining("; "));
        var more = own.size() > NAMED_MAX ? "; and %d more".formatted(own.size() - NAMED_MAX) : "";
        return "You have %d sessions, and none of them can give way: %s%s. End one with %s."
                .formatted(own.size(), names, more, Remedy.RESET_SESSION.word());
    }

    private static String name(SessionInfo session) {
        var id = session.threadId();
        var shown = id.length() > ID_SHOWN ? id.substring(0, ID_SHOWN) + "…" : id;
        return "thread %s in %s%s"
                .formatted(shown, session.language().word(), session.busy() ? ", in use" : "");
    }
}
