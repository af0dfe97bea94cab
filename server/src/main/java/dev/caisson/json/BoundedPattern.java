package dev.caisson.json;

import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressions;
import dev.caisson.call.WatchedText;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;

/// Regular expression with a bounded effort. Some expressions need more time than there is for a
/// short text that almost matches, so each match may look at characters only so often.
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
            return pattern.matcher(new WatchedText(text, new Budget(looks))).find();
        } catch (StackOverflowError _) {
            // A group that repeats costs a stack frame for each repetition.
            throw exceeded();
        }
    }

    private static Effort.Exceeded exceeded() {
        return new Effort.Exceeded("a text takes too long to match against its pattern");
    }

    private static final class Budget implements IntConsumer {
        private long left;

        private Budget(long left) {
            this.left = left;
        }

        @Override
        public void accept(int index) {
            if (--left < 0) {
                throw exceeded();
            }
        }
    }
}
