package dev.caisson.identity;

import dev.caisson.config.Key;
import java.util.Optional;

/// Settings of access tokens that an authorization server issues for this one.
public record TokenSettings(
        @Key(
                        name = "auth.issuer",
                        doc =
                                "The authorization server whose access tokens are taken beside keys,"
                                        + " exactly as its tokens name it. Needs http.public_base_url.")
                Optional<String> issuer,
        @Key(
                        name = "auth.audience",
                        doc =
                                "What access tokens must be issued for; the address of /mcp below"
                                        + " http.public_base_url if absent.")
                Optional<String> audience) {
    /// No token is taken.
    public static final TokenSettings NONE = new TokenSettings(Optional.empty(), Optional.empty());
}
