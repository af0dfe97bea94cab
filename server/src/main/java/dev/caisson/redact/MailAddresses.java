package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;

/// Mail addresses: a local part, `@`, and a domain of at least two labels, of which the last starts
/// with a letter. `user@host`, `package@1.2.3` and `@decorator.name` are none.
///
/// Neither part has an `@`, so nothing is looked at more than twice, however many there are.
final class MailAddresses {
    private static final int LOCAL_LENGTH_MAX = 64;
    private static final int DOMAIN_LENGTH_MAX = 253;

    private MailAddresses() {}

    static List<SecretSpan> find(String text) {
        var hits = new ArrayList<SecretSpan>();
        for (var at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            var start = localStart(text, at);
            var end = domainEnd(text, at + 1);
            if (start < at && end > at) {
                hits.add(new SecretSpan(start, end, PersonalKind.MAIL.word()));
            }
        }
        return hits;
    }

    private static int localStart(String text, int end) {
        var start = end;
        while (start > 0 && start > end - LOCAL_LENGTH_MAX && isLocal(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    /// @return behind the domain, or -1 when there is none
    private static int domainEnd(String text, int start) {
        var end = start;
        while (end < text.length()
                && end - start < DOMAIN_LENGTH_MAX
                && isDomain(text, end, start)) {
            end++;
        }
        while (end > start && !Character.isLetterOrDigit(text.charAt(end - 1))) {
            end--;
        }
        var dot = end - 1;
        while (dot > start && text.charAt(dot) != '.') {
            dot--;
        }
        var isNamed = dot > start && end - dot > 2 && Character.isLetter(text.charAt(dot + 1));
        return isNamed ? end : -1;
    }

    private static boolean isLocal(char character) {
        return Character.isLetterOrDigit(character) || "._%+-'".indexOf(character) >= 0;
    }

    /// A label is not empty.
    private static boolean isDomain(String text, int at, int start) {
        var character = text.charAt(at);
        return character == '.'
                ? at > start && text.charAt(at - 1) != '.'
                : character == '-' || Character.isLetterOrDigit(character);
    }
}
