package dev.caisson.output;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Size that a regular expression of RE2's syntax becomes when its counted repetitions are written
/// out, found by one look at its text. What is not an expression at all is for the compiler to say.
final class PatternSize {
    /// How many steps an expression may have when it is written out.
    static final int STEPS_MAX = 2_000;

    /// How deep groups may be nested.
    static final int DEPTH_MAX = 100;

    static final String TOO_LARGE =
            "is too large: written out, its counted repetitions such as {100} have more than "
                    + STEPS_MAX
                    + " steps.";

    private static final int COUNT_DIGITS_MAX = 4;

    private final String text;
    private int at;

    /// What each open group has so far, and the last thing in it, which a repetition multiplies.
    private final Deque<Long> sums = new ArrayDeque<>();

    private long sum;
    private long last;

    PatternSize(String text) {
        this.text = text;
    }

    /// Why it is not compiled.
    Optional<String> problem() {
        while (at < text.length()) {
            read(text.charAt(at));
            if (sums.size() > DEPTH_MAX) {
                return Optional.of(
                        "is nested too deep: groups may be in at most " + DEPTH_MAX + " others.");
            }
            if (sum + last > STEPS_MAX) {
                return Optional.of(TOO_LARGE);
            }
        }
        return Optional.empty();
    }

    private void read(char sign) {
        switch (sign) {
            case '\\' -> readEscape();
            case '[' -> readClass();
            case '(' -> open();
            case ')' -> close();
            case '{' -> readCount();
            default -> one(1);
        }
    }

    private void one(int length) {
        sum += last;
        last = 1;
        at += length;
    }

    private void open() {
        sums.push(sum + last);
        sum = 0;
        last = 1;
        at++;
    }

    private void close() {
        if (!sums.isEmpty()) {
            last = sum + last;
            sum = sums.pop();
        }
        at++;
    }

    /// What is between `\Q` and `\E` is taken as it is.
    private void readEscape() {
        if (!text.startsWith("\\Q", at)) {
            one(2);
            return;
        }
        var end = text.indexOf("\\E", at);
        var stop = end < 0 ? text.length() : end;
        for (at += 2; at < stop; ) {
            one(1);
        }
        at = end < 0 ? text.length() : end + 2;
    }

    /// A bracket at its beginning, in a name such as `[:alpha:]` or behind a backslash does not end
    /// it.
    private void readClass() {
        var end = at + 1;
        if (end < text.length() && text.charAt(end) == '^') {
            end++;
        }
        if (end < text.length() && text.charAt(end) == ']') {
            end++;
        }
        while (end < text.length() && text.charAt(end) != ']') {
            end = behindClassPart(end);
        }
        one(end + 1 - at);
    }

    private int behindClassPart(int from) {
        if (text.charAt(from) == '\\') {
            return from + 2;
        }
        var name = text.startsWith("[:", from) ? text.indexOf(":]", from + 2) : -1;
        return name < 0 ? from + 1 : name + 2;
    }

    /// A brace that counts nothing stands for itself.
    private void readCount() {
        var end = text.indexOf('}', at);
        var count = end < 0 ? -1 : count(text.substring(at + 1, end));
        if (count < 0) {
            one(1);
            return;
        }
        last *= Math.max(1, count);
        at = end + 1;
    }

    /// @return the larger number, or -1 when it is no count
    private static int count(String text) {
        var comma = text.indexOf(',');
        var from = number(comma < 0 ? text : text.substring(0, comma));
        var to = comma < 0 || comma == text.length() - 1 ? from : number(text.substring(comma + 1));
        return from < 0 || to < 0 ? -1 : Math.max(from, to) + (comma < 0 ? 0 : 1);
    }

    private static int number(String digits) {
        if (digits.isEmpty() || !digits.chars().allMatch(sign -> sign >= '0' && sign <= '9')) {
            return -1;
        }
        // A larger one is refused by the compiler.
        return digits.length() > COUNT_DIGITS_MAX
                ? Integer.MAX_VALUE / 2
                : Integer.parseInt(digits);
    }
}
