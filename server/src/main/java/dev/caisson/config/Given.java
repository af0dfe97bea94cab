package dev.caisson.config;

/// Unparsed value of a configuration key, as somebody wrote it. The items of a list are joined by
/// commas.
///
/// @param key the dotted name, which may be no key at all
public record Given(String key, String text, Origin origin) {
    public static Given flag(String key, String text, String flag) {
        return new Given(key, text, new Origin.Flag(flag));
    }
}
