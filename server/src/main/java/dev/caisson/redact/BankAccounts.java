package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;

/// Bank account numbers of the international form (IBAN): a country, two check digits and up to
/// thirty capitals and digits, in one piece or in groups of four, that leave the rest 1 when
/// divided by 97.
final class BankAccounts {
    private static final int HEAD = 4;
    private static final int LENGTH_MIN = 15;
    private static final int LENGTH_MAX = 34;
    private static final int MODULUS = 97;

    private BankAccounts() {}

    static List<SecretSpan> find(String text) {
        var hits = new ArrayList<SecretSpan>();
        var at = 0;
        while (at + LENGTH_MIN <= text.length()) {
            var end = isHead(text, at) ? accountEnd(text, at) : -1;
            if (end > 0) {
                hits.add(new SecretSpan(at, end, PersonalKind.IBAN.word()));
            }
            at = Math.max(at + 1, end);
        }
        return hits;
    }

    private static boolean isHead(String text, int at) {
        return isCapital(text.charAt(at))
                && isCapital(text.charAt(at + 1))
                && isDigit(text.charAt(at + 2))
                && isDigit(text.charAt(at + 3))
                && (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)));
    }

    /// The longest one that starts here: what follows one in groups may look like a group too.
    ///
    /// @return behind it, or -1
    private static int accountEnd(String text, int start) {
        var longest = -1;
        var length = HEAD;
        var rest = 0;
        var isGrouped = start + HEAD < text.length() && text.charAt(start + HEAD) == ' ';
        var at = start + HEAD;
        while (at < text.length() && length < LENGTH_MAX) {
            var character = text.charAt(at);
            if (isGrouped && length % HEAD == 0 && character == ' ') {
                at++;
                if (at == text.length()) {
                    break;
                }
                character = text.charAt(at);
            } else if (isGrouped && length % HEAD == 0) {
                break;
            }
            if (!isCapital(character) && !isDigit(character)) {
                break;
            }
            rest = with(rest, character);
            length++;
            at++;
            if (length >= LENGTH_MIN && isWordEnd(text, at) && isValid(rest, text, start)) {
                longest = at;
            }
        }
        return longest;
    }

    /// The head counts last.
    private static boolean isValid(int rest, String text, int start) {
        var whole = rest;
        for (var at = start; at < start + HEAD; at++) {
            whole = with(whole, text.charAt(at));
        }
        return whole == 1;
    }

    /// A letter counts as a number of two digits, from 10 for A on.
    private static int with(int rest, char character) {
        return isDigit(character)
                ? (rest * 10 + character - '0') % MODULUS
                : (rest * 100 + character - 'A' + 10) % MODULUS;
    }

    private static boolean isWordEnd(String text, int at) {
        return at == text.length() || !Character.isLetterOrDigit(text.charAt(at));
    }

    private static boolean isCapital(char character) {
        return character >= 'A' && character <= 'Z';
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
