package dev.caisson.json;

import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;

/// Error message for bytes that are not JSON, for their sender. The parser's own words may name its
/// settings and classes, which help nobody outside.
public final class BrokenJson {
    private static final Pattern TWICE =
            Pattern.compile("Duplicate [A-Za-z ]*[\"'](.*?)[\"'](?: for .*)?", Pattern.DOTALL);
    private static final Pattern INTERNAL =
            Pattern.compile("`|\\b[A-Z][a-z]+[A-Z]\\w*|\\b[A-Z]+_[A-Z_]+\\b|\\b\\w+\\.\\w+\\(");

    private BrokenJson() {}

    /// Without a full stop at its end.
    ///
    /// @param what was to be JSON, such as `The body`
    public static String sentence(String what, JacksonException broken) {
        var words = broken.getOriginalMessage();
        var twice = TWICE.matcher(words);
        if (twice.matches()) {
            return what + " has the member " + ShortText.cut(twice.group(1)) + " twice";
        }
        if (broken instanceof StreamConstraintsException) {
            return what
                    + " is not JSON within our limits: it is nested too deeply, has too many values,"
                    + " or a name or number is too long";
        }
        return what + " is not JSON: " + (INTERNAL.matcher(words).find() ? place(broken) : words);
    }

    private static String place(JacksonException broken) {
        var location = broken.getLocation();
        return location == null || location.getLineNr() < 1
                ? "it cannot be read"
                : "it cannot be read from line %d, column %d"
                        .formatted(location.getLineNr(), location.getColumnNr());
    }
}
