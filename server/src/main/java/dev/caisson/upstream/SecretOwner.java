package dev.caisson.upstream;

import java.util.regex.Pattern;

/// Owner of the values of `${caller:name}`: a caller, or this server, which lists tools for all of
/// them. The value of a caller is a secret of its own name.
///
/// @param suffix what the names of its secrets end with
record SecretOwner(String suffix) {
    /// This server itself.
    static final SecretOwner SERVER = new SecretOwner("");

    private static final Pattern CALLER = Pattern.compile("(?:key:)?([0-9a-z]{1,16})");
    private static final String NOBODY = "--";

    /// @param id of a caller; one that no secret can be named after has none
    static SecretOwner caller(String id) {
        var own = CALLER.matcher(id);
        return new SecretOwner("--" + (own.matches() ? own.group(1) : NOBODY));
    }

    /// The name of its own secret, such as `github--0123456789abcdef`.
    String own(String name) {
        return name + suffix;
    }
}
