package dev.caisson.upstream;

import dev.caisson.oauth.OAuthTarget;
import dev.caisson.stubs.Identifiers;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Settings of an upstream, checked and with every default in place. [UpstreamReader] reads them.
///
/// @param id stable for ever: programs name it
/// @param calls by the protocol name of the tool
/// @param learn whether types of results are learned from calls
/// @param elicit whether forms it asks for go to the client that called
public record UpstreamSettings(
        String id,
        String title,
        Peer peer,
        Trust trust,
        Review review,
        Credentials credentials,
        Sharing per,
        ToolFilter tools,
        UpstreamLimits limits,
        Map<String, CallRule> calls,
        boolean learn,
        boolean elicit) {
    static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    /// How long the name of a module may be.
    static final int MODULE_MAX = 40;

    /// Whether what an upstream says of its tools counts as their effect.
    public enum Trust {
        UNTRUSTED,
        TRUSTED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Who decides on definitions of tools.
    public enum Review {
        /// The first list is taken, and all that comes later waits for a person.
        FIRST,
        /// Nothing is taken without a person.
        MANUAL,
        /// Everything is taken, and noted.
        AUTO;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Who shares a connection.
    public enum Sharing {
        SHARED,
        CALLER;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public UpstreamSettings {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("the id of an upstream must match " + ID);
        }
        calls = Map.copyOf(calls);
    }

    /// What programs import: `google-drive` is `google_drive`, and `1password` is `t_1password`.
    public String module() {
        return module(id);
    }

    static String module(String id) {
        return Identifiers.module(id);
    }

    /// Whether a person gives it access at an authorization server.
    public boolean isConnectable() {
        return credentials instanceof Credentials.OAuth given
                && given.grant() == OAuthTarget.Grant.CODE;
    }

    /// What the operator says of a tool.
    public CallRule rule(String tool) {
        return Optional.ofNullable(calls.get(tool)).orElse(CallRule.NONE);
    }
}
