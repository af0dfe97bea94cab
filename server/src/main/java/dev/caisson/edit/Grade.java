package dev.caisson.edit;

import java.util.Locale;

/// Grade of a match: what is not looked at when texts are compared, on top of what those before it
/// pass over.
public enum Grade {
    EXACT,
    /// CRLF is LF.
    LINE_ENDINGS,
    /// Spaces at the ends of lines.
    TRAILING_SPACE,
    /// Spaces at the beginnings of lines.
    INDENTATION,
    /// Dashes, quotes and spaces of print are those of a keyboard.
    TYPOGRAPHIC;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
