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
                    "PASSPHRASE",
                    "_PASS",
                    "_PWD",
                    "_PAT",
                    "CREDENTIALS",
                    "PRIVATE_KEY",
                    "ACCESS_KEY",
                    "SECRET_KEY");

    /// A longer name, a wider gap or a shorter loose value is not an assignment of a secret.
    private static final int NAME_MAX = 128;

    private static final int GAP_MAX = 8;
    private static final int LOOSE_VALUE_MIN = 8;

    private final String text;

    /// Up to here no bare word is a secret, so no character of a long one is looked at twice.
    private int plainUntil;

    private Assignments(String text) {
        this.text = text;
    }

    static List<SecretSpan> find(String text) {
        return new Assignments(text).hits();
    }

    /// Whether the value of a variable of this name is to be kept secret.
    private static boolean isSecretName(String name) {
        var upper = name.toUpperCase(Locale.ROOT);
        return WORDS.stream().anyMatch(upper::endsWith);
    }

    private List<SecretSpan> hits() {
        var hits = new ArrayList<SecretSpan>();
        var sign = text.indexOf('=');
        while (sign >= 0) {
            var end = valueEnd(sign);
            if (end > sign) {
                hits.add(new SecretSpan(valueStart(sign), end, NAME));
            }
            sign = text.indexOf('=', Math.max(sign + 1, end));
        }
        return hits;
    }

    /// @return behind the secret value, or -1 when there is none
    private int valueEnd(int sign) {
        var nameEnd = skipBack(sign);
        var name = nameBefore(nameEnd);
        if (!isSecretName(name)) {
            return -1;
        }
        var start = valueStart(sign);
        if (start >= text.length()) {
            return -1;
        }
        var environment =
                nameEnd == sign && start == sign + 1 && name.equals(name.toUpperCase(Locale.ROOT));
        return environment ? environmentValue(start) : literalValue(start);
    }

    private int valueStart(int sign) {
        var at = sign + 1;
        while (at < text.length() && at <= sign + GAP_MAX && isGap(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private int skipBack(int sign) {
        var at = sign;
        while (at > 0 && at > sign - GAP_MAX && isGap(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private String nameBefore(int end) {
        var at = end;
        while (at > 0 && at > end - NAME_MAX && isNamePart(text.charAt(at - 1))) {
            at--;
        }
        return text.substring(at, end);
    }

    /// Everything up to white space, but neither a reference to another variable nor something that
    /// was redacted before.
    private int environmentValue(int start) {
        if ("$[".indexOf(text.charAt(start)) >= 0) {
            return -1;
        }
        var at = start;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at == start ? -1 : at;
    }

    private int literalValue(int start) {
        var quote = text.charAt(start);
        return quote == '"' || quote == '\'' ? quotedValue(start, quote) : bareValue(start);
    }

    private int quotedValue(int start, char quote) {
        var at = start + 1;
        while (at < text.length() && text.charAt(at) != quote && text.charAt(at) != '\n') {
            at++;
        }
        var closed = at < text.length() && text.charAt(at) == quote;
        return closed && at - start > LOOSE_VALUE_MIN ? at + 1 : -1;
    }

    /// A word with letters and digits that is not a call or an index. Where one is none of that, no
    /// end of it is either.
    private int bareValue(int start) {
        if (start < plainUntil) {
            return -1;
        }
        var at = start;
        var digits = false;
        while (at < text.length() && isLiteralPart(text.charAt(at))) {
            digits |= Character.isDigit(text.charAt(at));
            at++;
        }
        var called = at < text.length() && "([{".indexOf(text.charAt(at)) >= 0;
        if (digits && !called && at - start >= LOOSE_VALUE_MIN) {
            return at;
        }
        plainUntil = at;
        return -1;
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
}
