package dev.caisson.session;

import dev.caisson.sandbox.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// How sessions ended whose callers do not know it yet, the latest of them.
final class Deaths {
    static final int KEPT_MAX = 1_000;

    private final Map<SessionKey, String> reasons = new LinkedHashMap<>();

    void note(SessionKey key, String why) {
        reasons.remove(key);
        reasons.put(key, why);
        if (reasons.size() > KEPT_MAX) {
            reasons.remove(reasons.keySet().iterator().next());
        }
    }

    /// Told once.
    Optional<String> tell(SessionKey key) {
        return Optional.ofNullable(reasons.remove(key));
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
