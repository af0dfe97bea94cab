package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;

/// Numbers of payment cards: digits in one piece or in the groups that are printed on cards, that
/// begin as cards do and whose check digit, after Luhn, is right.
final class PaymentCards {
    /// How the digits stand on cards.
    private static final List<int[]> GROUPINGS =
            List.of(
                    new int[] {4, 4, 4, 4, 3},
                    new int[] {4, 4, 4, 4},
                    new int[] {4, 6, 5},
                    new int[] {4, 6, 4});

    private static final int DIGITS_MIN = 13;
    private static final int DIGITS_MAX = 19;

    private PaymentCards() {}

    static List<SecretSpan> find(String text) {
        var hits = new ArrayList<SecretSpan>();
        var at = 0;
        while (at < text.length()) {
            if (!isDigit(text, at)) {
                at++;
                continue;
            }
            var piece = digitsEnd(text, at);
            var end = isWordBefore(text, at) ? -1 : cardEnd(text, at, piece);
            if (end > 0) {
                hits.add(new SecretSpan(at, end, PersonalKind.CARD.word()));
            }
            at = Math.max(piece, end);
        }
        return hits;
    }

    /// @param piece behind the first digits that stand together
    /// @return behind the number, or -1
    private static int cardEnd(String text, int start, int piece) {
        var length = piece - start;
        if (length >= DIGITS_MIN) {
            return length <= DIGITS_MAX && isCard(text, start, piece) ? piece : -1;
        }
        if (length != 4 || piece >= text.length() || " -".indexOf(text.charAt(piece)) < 0) {
            return -1;
        }
        for (var grouping : GROUPINGS) {
            var end = groupsEnd(text, start, text.charAt(piece), grouping);
            if (end > 0 && isCard(text, start, end)) {
                return end;
            }
        }
        return -1;
    }

    private static int groupsEnd(String text, int start, char separator, int[] grouping) {
        var at = start;
        for (var group = 0; group < grouping.length; group++) {
            if (group > 0) {
                if (at >= text.length() || text.charAt(at) != separator) {
                    return -1;
                }
                at++;
            }
            for (var digit = 0; digit < grouping[group]; digit++, at++) {
                if (!isDigit(text, at)) {
                    return -1;
                }
            }
        }
        return isDigit(text, at) ? -1 : at;
    }

    private static boolean isCard(String text, int start, int end) {
        if (end < text.length() && Character.isLetter(text.charAt(end))) {
            return false;
        }
        var digits = new StringBuilder(DIGITS_MAX);
        for (var at = start; at < end; at++) {
            if (isDigit(text, at)) {
                digits.append(text.charAt(at));
            }
        }
        return isIssued(digits) && hasCheckDigit(digits);
    }

    /// Of the lengths and beginnings that issuers have.
    private static boolean isIssued(CharSequence digits) {
        var length = digits.length();
        var two = Integer.parseInt(digits, 0, 2, 10);
        return switch (digits.charAt(0)) {
            case '2' -> length == 16 && two >= 22 && two <= 27;
            case '3' -> length == lengthInThirties(two);
            case '4' -> length == 13 || length == 16 || length == 19;
            case '5' -> length == 16;
            case '6' -> length >= 16;
            default -> false;
        };
    }

    private static int lengthInThirties(int two) {
        return switch (two) {
            case 34, 37 -> 15;
            case 30, 36, 38, 39 -> 14;
            case 35 -> 16;
            default -> -1;
        };
    }

    static boolean hasCheckDigit(CharSequence digits) {
        var sum = 0;
        for (var at = 0; at < digits.length(); at++) {
            var digit = digits.charAt(digits.length() - 1 - at) - '0';
            var doubled = at % 2 == 0 ? digit : digit * 2;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    private static int digitsEnd(String text, int start) {
        var end = start;
        while (isDigit(text, end)) {
            end++;
        }
        return end;
    }

    /// A decimal, or the end of a longer name.
    private static boolean isWordBefore(String text, int start) {
        return start > 0
                && (Character.isLetterOrDigit(text.charAt(start - 1))
                        || "._".indexOf(text.charAt(start - 1)) >= 0);
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
