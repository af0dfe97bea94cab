package dev.caisson.json;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import java.util.regex.Pattern;

/// A regular expression that gives up. Some expressions need more time than there is for a short
/// text that almost matches, so each match may look at characters only so often.
final class BoundedPattern implements RegularExpression {
    /// How often characters may be looked at, beside what the length of the text adds.
    static final int LOOKS_MIN = 10_000;

    /// How often each character of the text may be looked at, on average.
    static final int LOOKS_PER_CHARACTER = 100;

    private final Pattern pattern;

    /// @param expression as ECMA-262 has it, where `$` is the end of the text and not also the
    ///   place before a last line break
    BoundedPattern(String expression) {
        pattern =
                Pattern.compile(
                        RegularExpressions.replaceLongformCharacterProperties(
                                RegularExpressions.replaceDollarAnchors(expression)));
    }

    @Override
    public boolean matches(String text) {
        var looks = LOOKS_MIN + (long) LOOKS_PER_CHARACTER * text.length();
        try {
            return pattern.matcher(new Watched(text, new Budget(looks))).find();
        } catch (StackOverflowError _) {
            // A group that repeats costs a stack frame for each repetition.
            throw exceeded();
        }
    }

    private static Effort.Exceeded exceeded() {
        return new Effort.Exceeded("a text takes too long to match against its pattern");
    }

    private static final class Budget {
        private long left;

        private Budget(long left) {
            this.left = left;
        }

        private void spend() {
            if (--left < 0) {
                throw exceeded();
            }
        }
    }

    /// A text that counts how often it is looked at.
    private record Watched(CharSequence text, Budget budget) implements CharSequence {
        @Override
        public char charAt(int index) {
            budget.spend();
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Watched(text.subSequence(start, end), budget);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
