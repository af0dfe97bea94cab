package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Values assigned to names that say they are secret: `GITHUB_TOKEN=…`, `DB_PASSWORD=…`,
/// `access_token = "…"`. The name stays, the value goes.
///
/// An environment-style line (capitals, no space around the sign) loses any value. In every other
/// style the value must look like a literal secret, so that `token = parser.next()` in a source
/// file survives.
final class Assignments {
    private static final String NAME = "secret-env-assignment";
    private static final List<String> WORDS =
            List.of(
                    "API_KEY",
                    "APIKEY",
                    "TOKEN",
                    "SECRET",
                    "PASSWORD",
                    "PASSWD",
                    "PRIVATE_KEY",
                    "ACCESS_KEY",
                    "SECRET_KEY");

    /// A longer name, a wider gap or a shorter loose value is not an assignment of a secret.
    private static final int NAME_MAX = 128;

    private static final int GAP_MAX = 8;
    private static final int LOOSE_VALUE_MIN = 8;

    private Assignments() {}

    static List<Hit> find(String text) {
        var hits = new ArrayList<Hit>();
        var sign = text.indexOf('=');
        while (sign >= 0) {
            var end = valueEnd(text, sign);
            if (end > sign) {
                hits.add(new Hit(valueStart(text, sign), end, NAME));
            }
            sign = text.indexOf('=', Math.max(sign + 1, end));
        }
        return hits;
    }

    /// @return behind the secret value, or -1 when there is none
    private static int valueEnd(String text, int sign) {
        var nameEnd = skipBack(text, sign);
        var name = nameBefore(text, nameEnd);
        if (!saysSecret(name)) {
            return -1;
        }
        var start = valueStart(text, sign);
        var environment =
                nameEnd == sign && start == sign + 1 && name.equals(name.toUpperCase(Locale.ROOT));
        return environment ? environmentValue(text, start) : literalValue(text, start);
    }

    private static int valueStart(String text, int sign) {
        var at = sign + 1;
        while (at < text.length() && at <= sign + GAP_MAX && isGap(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int skipBack(String text, int sign) {
        var at = sign;
        while (at > 0 && at > sign - GAP_MAX && isGap(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static String nameBefore(String text, int end) {
        var at = end;
        while (at > 0 && at > end - NAME_MAX && isNamePart(text.charAt(at - 1))) {
            at--;
        }
        return text.substring(at, end);
    }

    private static boolean saysSecret(String name) {
        var upper = name.toUpperCase(Locale.ROOT);
        return WORDS.stream().anyMatch(upper::endsWith);
    }

    /// Everything up to white space, but neither a reference to another variable nor something that
    /// was redacted before.
    private static int environmentValue(String text, int start) {
        var at = start;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        var empty = at == start || text.charAt(start) == '$' || text.charAt(start) == '[';
        return empty ? -1 : at;
    }

    /// A quoted string, or a bare word with letters and digits that is not a call or an index.
    private static int literalValue(String text, int start) {
        if (start >= text.length()) {
            return -1;
        }
        var quote = text.charAt(start);
        if (quote == '"' || quote == '\'') {
            return quotedValue(text, start, quote);
        }
        var at = start;
        var digits = false;
        while (at < text.length() && isLiteralPart(text.charAt(at))) {
            digits |= Character.isDigit(text.charAt(at));
            at++;
        }
        var called = at < text.length() && "([{".indexOf(text.charAt(at)) >= 0;
        return digits && !called && at - start >= LOOSE_VALUE_MIN ? at : -1;
    }

    private static int quotedValue(String text, int start, char quote) {
        var at = start + 1;
        while (at < text.length() && text.charAt(at) != quote && text.charAt(at) != '\n') {
            at++;
        }
        var closed = at < text.length() && text.charAt(at) == quote;
        return closed && at - start > LOOSE_VALUE_MIN ? at + 1 : -1;
    }

    private static boolean isGap(char character) {
        return character == ' ' || character == '\t';
    }

    private static boolean isNamePart(char character) {
        return character == '_' || Character.isLetterOrDigit(character);
    }

    private static boolean isLiteralPart(char character) {
        return Character.isLetterOrDigit(character) || "_-+/=.".indexOf(character) >= 0;
    }

    /// Whether the value of a variable of this name is to be kept secret.
    static boolean isSecretName(String name) {
        return saysSecret(name);
    }
}
