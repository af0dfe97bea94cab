package dev.caisson.session;

import dev.caisson.sandbox.Outcome;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// End reasons of sessions whose callers do not know them yet, the latest of each caller. They are
/// kept as long as the server runs: what one caller leaves unread displaces nobody else's.
final class EndReasons {
    /// Of one caller.
    static final int KEPT_MAX = 1_000;

    private final Map<String, Map<SessionKey, String>> reasons = new HashMap<>();

    void note(SessionKey key, String why) {
        var own = reasons.computeIfAbsent(key.callerId(), _ -> new LinkedHashMap<>());
        own.remove(key);
        own.put(key, why);
        if (own.size() > KEPT_MAX) {
            own.remove(own.keySet().iterator().next());
        }
    }

    /// Told once.
    Optional<String> tell(SessionKey key) {
        var own = reasons.getOrDefault(key.callerId(), new HashMap<>());
        var why = Optional.ofNullable(own.remove(key));
        if (own.isEmpty()) {
            reasons.remove(key.callerId());
        }
        return why;
    }

    /// Those who do not come back are told nothing.
    void forget(Collection<String> callers) {
        callers.forEach(reasons::remove);
    }

    /// How an interpreter ended, to be read after "because".
    static String words(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited(int code, var _, var _) ->
                    "its interpreter exited with code " + code;
            case Outcome.Signalled(int signal, var _, var _) ->
                    "its interpreter was ended by signal " + signal;
            case Outcome.TimedOut _ ->
                    "a program in it went on after its time limit and an interrupt, and was killed";
            case Outcome.OutOfMemory _ -> "it needed more memory than its limit";
            case Outcome.Cancelled _ ->
                    "a program in it went on after it was cancelled and interrupted, and was killed";
            case Outcome.Blocked(var why, var _) -> why;
        };
    }
}
