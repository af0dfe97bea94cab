package dev.caisson.profiles;

import java.time.Instant;
import java.util.Optional;

/// Profile with its name, and where it is defined.
///
/// @param changed when it was stored
/// @param revision differs between two versions of a stored profile
public record NamedProfile(
        String name,
        ProfileSettings settings,
        Source source,
        Optional<Instant> changed,
        long revision) {
    /// What a profile may be called.
    public static final String NAME_PATTERN = "[a-z0-9][a-z0-9_-]{0,62}";

    public static final int NAME_MAX = 63;

    /// Where a profile is defined.
    public enum Source {
        /// In the configuration of the server; only there it can be changed.
        CONFIGURATION,
        /// In the database.
        STORED,
        /// Nowhere: the profile `default`, which has the server's own settings.
        SERVER
    }

    public static NamedProfile of(Source source, String name, ProfileSettings settings) {
        return new NamedProfile(name, settings, source, Optional.empty(), 0);
    }
}
