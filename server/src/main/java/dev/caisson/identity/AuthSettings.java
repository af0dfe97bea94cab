package dev.caisson.identity;

import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.time.Duration;
import java.util.Optional;

/// Settings of authentication.
public record AuthSettings(
        @Key(
                        name = "auth.enabled",
                        initial = "true",
                        doc = "Whether callers need a key; false only on a loopback address.")
                boolean enabled,
        @Key(
                        name = "auth.api_token",
                        min = "8",
                        form = Form.SECRET,
                        secret = true,
                        alsoFrom = "MCP_API_TOKEN",
                        doc =
                                "A key with every scope that is valid beside the stored ones. At least"
                                        + " 32 characters, unless the server listens on a loopback"
                                        + " address.")
                Optional<String> apiToken,
        @Key(
                        name = "auth.failures_max",
                        initial = "3",
                        min = "1",
                        max = "1000000",
                        doc = "Failed attempts of one address before it must wait.")
                int failuresMax,
        @Key(
                        name = "auth.failure_window",
                        initial = "60s",
                        min = "1s",
                        max = "1d",
                        doc = "How long a failed attempt counts.")
                Duration failureWindow,
        TokenSettings tokens) {
    /// A shorter token is for this machine alone, and is warned of.
    public static final int TOKEN_LENGTH_MIN = 32;

    /// Whether there is a token that is short enough to be guessed.
    public boolean isTokenShort() {
        return enabled && apiToken.filter(token -> token.length() < TOKEN_LENGTH_MIN).isPresent();
    }

    /// Without the secret.
    @Override
    public String toString() {
        return "AuthSettings[enabled=" + enabled + "]";
    }
}
