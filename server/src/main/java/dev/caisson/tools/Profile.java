package dev.caisson.tools;

import dev.caisson.redact.RedactionRules;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import java.time.Duration;
import java.util.Map;

/// What the operator lets runs have.
///
/// @param limits of a run whose caller asks for nothing else
/// @param wallMax the longest time a caller may ask for
/// @param waitMax the longest a caller may wait for a busy thread
/// @param env what every program finds in its environment
/// @param secrets the same, but their values never leave the server
/// @param redaction what is taken out of answers beside the secrets
/// @param detachAfter when a call goes on as a task, if the client can follow one
public record Profile(
        Language defaultLanguage,
        Limits limits,
        Duration wallMax,
        Duration waitMax,
        int codeBytesMax,
        int envBytesMax,
        Map<String, String> env,
        Map<String, String> secrets,
        RedactionRules redaction,
        Duration detachAfter) {
    public static final Profile DEFAULT =
            new Profile(
                    Language.PYTHON,
                    Limits.DEFAULT,
                    Duration.ofHours(1),
                    Duration.ofMinutes(5),
                    1 << 20,
                    64 << 10,
                    Map.of(),
                    Map.of(),
                    RedactionRules.DEFAULT,
                    Duration.ofSeconds(20));

    public Profile {
        env = Map.copyOf(env);
        secrets = Map.copyOf(secrets);
        if (limits.wall().compareTo(wallMax) > 0) {
            throw new IllegalArgumentException("the default time limit is above the maximum");
        }
    }
}
