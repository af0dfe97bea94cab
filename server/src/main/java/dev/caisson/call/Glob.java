package dev.caisson.call;

import java.util.regex.Pattern;

/// Glob: a pattern of names in which `*` stands for any number of characters and `?` for one.
/// Everything else stands for itself. Matching takes time in proportion to the lengths of both.
///
/// @param text as it was written
public record Glob(String text) {
    public static final int LENGTH_MAX = 200;

    private static final Pattern WRITTEN =
            Pattern.compile("[A-Za-z0-9_.*?/-]{1," + LENGTH_MAX + "}");

    /// Matches every name.
    public static final Glob ALL = new Glob("*");

    /// @throws IllegalArgumentException when it has other characters than names have
    public Glob {
        if (!isGlob(text)) {
            throw new IllegalArgumentException("not a pattern of names");
        }
    }

    public static boolean isGlob(String text) {
        return WRITTEN.matcher(text).matches();
    }

    public boolean matches(String name) {
        return matches(text, name);
    }

    /// The same of a pattern and a name that may have any characters. Goes back to the last `*`
    /// alone, so that no pattern is explosive.
    public static boolean matches(String text, String name) {
        int at = 0;
        int in = 0;
        int star = -1;
        int retry = 0;
        while (in < name.length()) {
            if (at < text.length() && text.charAt(at) == '*') {
                star = at++;
                retry = in;
            } else if (at < text.length()
                    && (text.charAt(at) == '?' || text.charAt(at) == name.charAt(in))) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++retry;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == '*') {
            at++;
        }
        return at == text.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
