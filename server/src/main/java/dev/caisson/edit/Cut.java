package dev.caisson.edit;

/// Cut of a text that is too long to be shown, between two characters.
public final class Cut {
    private Cut() {}

    /// @param mark stands where something was left out
    public static String of(String text, int max, String mark) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + mark;
    }
}
