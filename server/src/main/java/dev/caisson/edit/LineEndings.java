package dev.caisson.edit;

import java.util.Locale;

/// Line endings of a text.
public enum LineEndings {
    LF,
    CRLF,
    MIXED,
    /// There is no line break.
    NONE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static LineEndings of(String text) {
        long lf = 0;
        long crlf = 0;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            if (at > 0 && text.charAt(at - 1) == '\r') {
                crlf++;
            } else {
                lf++;
            }
        }
        return of(lf, crlf);
    }

    /// @param lf how many lines end with a line feed alone
    public static LineEndings of(long lf, long crlf) {
        if (lf == 0) {
            return crlf == 0 ? NONE : CRLF;
        }
        return crlf == 0 ? LF : MIXED;
    }

    /// A text that becomes part of one with these endings.
    String fit(String text) {
        return this == CRLF ? text.replace("\r\n", "\n").replace("\n", "\r\n") : text;
    }
}
