package dev.caisson.call;

import java.util.function.IntConsumer;

/// Text whose reader can be stopped: every character that a regular expression looks at is
/// announced first, and an exception of the watch ends the match.
///
/// @param watch takes the index of the character
public record WatchedText(CharSequence text, IntConsumer watch) implements CharSequence {
    @Override
    public char charAt(int index) {
        watch.accept(index);
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new WatchedText(text.subSequence(start, end), watch);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
