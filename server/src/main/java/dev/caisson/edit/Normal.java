package dev.caisson.edit;

import java.util.Arrays;

/// Text without what a grade passes over, and where each of its characters stood.
///
/// @param places of each character, and the end of the text behind them; empty for a text as it is
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Normal(String text, int[] places) {
    static Normal of(String text, Grade grade) {
        return grade == Grade.EXACT ? new Normal(text, new int[0]) : new Maker(text, grade).make();
    }

    /// Where a stretch of it begins in the text.
    int from(int at) {
        return places.length == 0 ? at : places[at];
    }

    /// Where a stretch ends whose last character is before `at`.
    int to(int at, String original) {
        if (places.length == 0) {
            return at;
        }
        int last = places[at - 1];
        return last + Typography.of(original, last).length();
    }

    private static final class Maker {
        private final String text;
        private final Grade grade;
        private final StringBuilder made;
        private int[] places;

        Maker(String text, Grade grade) {
            this.text = text;
            this.grade = grade;
            made = new StringBuilder(text.length());
            places = new int[text.length() + 1];
        }

        Normal make() {
            boolean begins = true;
            // Up to here spaces are known to end no line: a run of them is looked at once.
            int inside = 0;
            for (int at = 0; at < text.length(); ) {
                if (begins && grade.compareTo(Grade.INDENTATION) >= 0) {
                    at = behindSpace(at);
                    begins = false;
                    continue;
                }
                char one = text.charAt(at);
                if (one == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
                    at++;
                    continue;
                }
                if (at >= inside && isSpace(one) && grade.compareTo(Grade.TRAILING_SPACE) >= 0) {
                    int behind = behindSpace(at);
                    if (isEnd(behind)) {
                        at = behind;
                        continue;
                    }
                    inside = behind;
                }
                begins = one == '\n';
                at += add(at, one);
            }
            places[made.length()] = text.length();
            return new Normal(made.toString(), Arrays.copyOf(places, made.length() + 1));
        }

        private int add(int at, char one) {
            places[made.length()] = at;
            var sign = grade == Grade.TYPOGRAPHIC ? Typography.of(text, at) : Typography.PLAIN;
            made.append(sign.length() == 1 ? one : sign.plain());
            return sign.length();
        }

        private boolean isEnd(int at) {
            return at == text.length() || text.charAt(at) == '\n' || text.startsWith("\r\n", at);
        }

        private int behindSpace(int from) {
            int at = from;
            while (at < text.length() && isSpace(text.charAt(at))) {
                at++;
            }
            return at;
        }

        private static boolean isSpace(char one) {
            return one == ' ' || one == '\t';
        }
    }
}
