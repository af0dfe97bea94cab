package dev.caisson.config;

/// One value as somebody wrote it, not yet read. The items of a list are joined by commas.
///
/// @param key the dotted name, which may be no key at all
public record Given(String key, String text, Origin origin) {
    public static Given flag(String key, String text, String flag) {
        return new Given(key, text, new Origin.Flag(flag));
    }
}
