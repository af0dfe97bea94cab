package dev.caisson.policy;

import java.util.Locale;

/// Decision of a rule on the calls it matches.
public enum Decision {
    ALLOW,
    /// A person decides.
    ASK,
    DENY;

    /// The word used on the wire and in files, such as `allow`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
