package dev.caisson.redact;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/// Percent-encoded spelling of a string, as in an address.
///
/// @param left what is written as it is, beside letters and digits
/// @param plus whether a space becomes a plus
/// @param lower whether codes have small digits
record PercentSpelling(String left, boolean plus, boolean lower) implements UnaryOperator<String> {
    @Override
    public String apply(String value) {
        var hex = lower ? HexFormat.of() : HexFormat.of().withUpperCase();
        var written = new StringBuilder(value.length() + 8);
        for (var one : value.getBytes(StandardCharsets.UTF_8)) {
            if (SecretSpellings.isLetterOrDigit(one) || left.indexOf(one) >= 0) {
                written.append((char) one);
            } else if (plus && one == ' ') {
                written.append('+');
            } else {
                written.append('%').append(hex.toHexDigits(one));
            }
        }
        return written.toString();
    }
}
