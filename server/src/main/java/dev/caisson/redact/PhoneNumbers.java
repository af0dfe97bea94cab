package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Phone numbers in the forms people write: with `+` and a country, with a leading 0 and an area
/// apart from the rest, and as in North America. Digits alone are no phone number.
///
/// Every form has an upper bound on its length and is tried only where it can begin, so time is
/// linear.
final class PhoneNumbers {
    private static final int DIGITS_MIN = 8;
    private static final int DIGITS_MAX = 15;

    /// `+49 30 123456`, `+1 (555) 010-9999`.
    private static final Pattern INTERNATIONAL =
            Pattern.compile("\\+[1-9][0-9]{0,14}+(?:[ ./-]?\\(?[0-9]{1,14}+\\)?){0,7}");

    /// `030 1234567`, `(0171) 123 45 67`, `0171/1234567`.
    private static final Pattern NATIONAL =
            Pattern.compile("\\(?0[1-9][0-9]{1,4}+\\)?[ /-][0-9]{2,8}+(?:[ -][0-9]{2,8}+){0,3}");

    /// `(555) 010-9999`, `555-010-9999`, `555.010.9999`.
    private static final Pattern NORTH_AMERICAN =
            Pattern.compile(
                    "\\([2-9][0-9]{2}\\) ?[0-9]{3}[-. ][0-9]{4}"
                            + "|[2-9][0-9]{2}-[0-9]{3}-[0-9]{4}"
                            + "|[2-9][0-9]{2}\\.[0-9]{3}\\.[0-9]{4}");

    private PhoneNumbers() {}

    static List<SecretSpan> find(String text) {
        var hits = new ArrayList<SecretSpan>();
        var at = 0;
        while (at < text.length()) {
            var end = canBegin(text, at) ? end(text, at) : -1;
            if (end > 0) {
                hits.add(new SecretSpan(at, end, PersonalKind.PHONE.word()));
            }
            at = Math.max(at + 1, end);
        }
        return hits;
    }

    private static boolean canBegin(String text, int at) {
        var character = text.charAt(at);
        var isBeginning = character == '+' || character == '(' || isDigit(character);
        return isBeginning
                && (at == 0
                        || (!Character.isLetterOrDigit(text.charAt(at - 1))
                                && "+.-_/(".indexOf(text.charAt(at - 1)) < 0)
                        || (text.charAt(at - 1) == '(' && character == '+'));
    }

    /// @return behind the number, or -1
    private static int end(String text, int start) {
        if (text.charAt(start) == '+') {
            return end(text, start, INTERNATIONAL);
        }
        var national = end(text, start, NATIONAL);
        return national > 0 ? national : end(text, start, NORTH_AMERICAN);
    }

    private static int end(String text, int start, Pattern form) {
        var matcher = form.matcher(text).region(start, text.length());
        if (!matcher.lookingAt()) {
            return -1;
        }
        var end = fitting(text, start, matcher.end());
        var goesOn = end < text.length() && Character.isLetterOrDigit(text.charAt(end));
        return !goesOn && digits(text, start, end) >= DIGITS_MIN ? end : -1;
    }

    /// Without the groups at its end that make it too long: they are other numbers beside it.
    private static int fitting(String text, int start, int longest) {
        var end = longest;
        while (digits(text, start, end) > DIGITS_MAX) {
            end--;
            while (end > start && isDigit(text.charAt(end - 1))) {
                end--;
            }
            while (end > start && !isDigit(text.charAt(end - 1)) && text.charAt(end - 1) != ')') {
                end--;
            }
        }
        return end;
    }

    private static long digits(String text, int start, int end) {
        return text.substring(start, end).chars().filter(one -> isDigit((char) one)).count();
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
