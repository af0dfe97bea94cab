package dev.caisson.upstream;

import java.util.regex.Pattern;

/// Words in the names of headers and variables whose values are secret.
final class SecretWords {
    private static final Pattern SECRET =
            Pattern.compile(
                    "auth|bearer|cookie|credential|key|pass|secret|token",
                    Pattern.CASE_INSENSITIVE);

    private SecretWords() {}

    static boolean isSecret(String name) {
        return SECRET.matcher(name).find();
    }
}
