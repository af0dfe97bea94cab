package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;

/// Private keys in PEM form, from their BEGIN line to their END line. A key whose end is cut off is
/// taken as far as it looks like one.
final class PrivateKeys {
    private static final String NAME = "pem-private-key";
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String KIND = "PRIVATE KEY-----";

    /// Of any of them.
    static final String BEGINNING = BEGIN + KIND + "\n";

    /// Such as `ENCRYPTED ` or `RSA `, between the word and the kind.
    private static final int LABEL_MAX = 40;

    private PrivateKeys() {}

    static List<SecretSpan> find(String text) {
        var hits = new ArrayList<SecretSpan>();
        var from = 0;
        while (true) {
            var begin = text.indexOf(BEGIN, from);
            if (begin < 0) {
                return hits;
            }
            var body = afterKind(text, begin + BEGIN.length());
            if (body < 0) {
                from = begin + BEGIN.length();
                continue;
            }
            from = end(text, body);
            hits.add(new SecretSpan(begin, from, NAME));
        }
    }

    /// Where a key starts whose END line has not come yet, or -1.
    static int unfinished(String text) {
        var begin = text.lastIndexOf(BEGIN);
        var isKey = begin >= 0 && afterKind(text, begin + BEGIN.length()) >= 0;
        return isKey && text.indexOf(END, begin) < 0 ? begin : -1;
    }

    /// @return where the line's dashes end, or -1 when it is not the line of a private key
    private static int afterKind(String text, int from) {
        var kind = text.indexOf(KIND, from, Math.min(text.length(), from + LABEL_MAX));
        return kind < 0 ? -1 : kind + KIND.length();
    }

    private static int end(String text, int body) {
        var at = body;
        while (at < text.length() && isBody(text, at)) {
            at++;
        }
        if (!text.startsWith(END, at)) {
            return at;
        }
        var after = afterKind(text, at + END.length());
        return after < 0 ? at : after;
    }

    /// Base64, white space (also escaped as in JSON) and the headers of an encrypted key.
    private static boolean isBody(String text, int at) {
        var character = text.charAt(at);
        return character == '-'
                ? !text.startsWith("-----", at)
                : Character.isLetterOrDigit(character)
                        || Character.isWhitespace(character)
                        || "+/=\\:,".indexOf(character) >= 0;
    }
}
