package dev.caisson.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Words of a text as they are compared: split at case and punctuation, in lower case, without the
/// endings of a plural, -ing and -ed.
///
/// `getDocuments`, `get-document` and `getting documents` share their words. Only a bounded part of
/// a text is read.
final class Words {
    /// How much of a text is read, in characters.
    static final int TEXT_LENGTH_MAX = 4096;

    /// How much of a word counts, in characters.
    static final int WORD_LENGTH_MAX = 40;

    /// What is left of a word when its ending is dropped has so many letters at least.
    private static final int STEM_LENGTH_MIN = 3;

    private Words() {}

    /// In their order, also those that come twice.
    static List<String> of(String text) {
        var words = new ArrayList<String>();
        var end = Math.min(text.length(), TEXT_LENGTH_MAX);
        var start = 0;
        for (var at = 0; at <= end; at++) {
            if (at == end || !isPart(text.charAt(at)) || beginsWord(text, start, at, end)) {
                add(words, text.substring(start, at));
                start = at < end && isPart(text.charAt(at)) ? at : at + 1;
            }
        }
        return words;
    }

    private static boolean isPart(char letter) {
        return Character.isLetterOrDigit(letter) || Character.isSurrogate(letter);
    }

    /// Between a lower and an upper letter (`getDocument`), and before the last letter of an
    /// abbreviation that a word follows (`HTTPServer`).
    private static boolean beginsWord(String text, int start, int at, int end) {
        if (at == start || !Character.isUpperCase(text.charAt(at))) {
            return false;
        }
        return !Character.isUpperCase(text.charAt(at - 1))
                || (at + 1 < end && Character.isLowerCase(text.charAt(at + 1)));
    }

    private static void add(List<String> words, String word) {
        if (!word.isEmpty()) {
            var part = word.length() > WORD_LENGTH_MAX ? word.substring(0, WORD_LENGTH_MAX) : word;
            words.add(stem(part.toLowerCase(Locale.ROOT)));
        }
    }

    /// The word without its ending: `files` and `filing` become `fil`, as `file` does.
    private static String stem(String word) {
        var stem = plural(word);
        if (stem.endsWith("ing")) {
            stem = doubled(cut(stem, 3));
        } else if (stem.endsWith("ed")) {
            stem = doubled(cut(stem, 2));
        }
        return stem.endsWith("e") ? cut(stem, 1) : stem;
    }

    private static String plural(String word) {
        if (word.endsWith("ies") && word.length() - 3 >= STEM_LENGTH_MIN) {
            return word.substring(0, word.length() - 3) + "y";
        }
        if (word.endsWith("sses") || word.endsWith("xes") || word.endsWith("ches")) {
            return cut(word, 2);
        }
        var plural = word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us");
        return plural ? cut(word, 1) : word;
    }

    /// `running` becomes `run`; `call` and `pass` keep both letters.
    private static String doubled(String stem) {
        var last = stem.length() - 1;
        var twice =
                last > STEM_LENGTH_MIN - 1
                        && stem.charAt(last) == stem.charAt(last - 1)
                        && "lsz".indexOf(stem.charAt(last)) < 0;
        return twice ? stem.substring(0, last) : stem;
    }

    private static String cut(String word, int letters) {
        return word.length() - letters >= STEM_LENGTH_MIN
                ? word.substring(0, word.length() - letters)
                : word;
    }
}
