package dev.caisson.redact;

import java.util.HexFormat;
import java.util.function.UnaryOperator;

/// JSON spelling of a string, without its quotes.
///
/// @param ascii whether all that is no printable ASCII is escaped
/// @param upper whether escapes have capital digits
/// @param slash whether slashes are escaped
record JsonSpelling(boolean ascii, boolean upper, boolean slash) implements UnaryOperator<String> {
    private static final String SHORT = "\b\t\n\f\r\"\\";
    private static final String SHORT_LETTERS = "btnfr\"\\";

    @Override
    public String apply(String value) {
        var hex = upper ? HexFormat.of().withUpperCase() : HexFormat.of();
        var written = new StringBuilder(value.length() + 8);
        for (var at = 0; at < value.length(); at++) {
            var one = value.charAt(at);
            if (SHORT.indexOf(one) >= 0) {
                written.append('\\').append(SHORT_LETTERS.charAt(SHORT.indexOf(one)));
            } else if (one < ' ' || (ascii && one > '~')) {
                written.append("\\u").append(hex.toHexDigits(one));
            } else if (slash && one == '/') {
                written.append("\\/");
            } else {
                written.append(one);
            }
        }
        return written.toString();
    }
}
