package dev.caisson.edit;

/// Occurrences of a text in another, one after the other, in linear time whatever the two are.
final class Occurrences {
    private final String text;
    private final String sought;

    /// Of each beginning of the sought text, how much of its end is a beginning too.
    private final int[] borders;

    private int at;
    private int matched;

    /// @param sought not empty
    Occurrences(String text, String sought) {
        this.text = text;
        this.sought = sought;
        borders = new int[sought.length()];
        int length = 0;
        for (int end = 1; end < borders.length; end++) {
            length = extended(length, sought.charAt(end));
            borders[end] = length;
        }
    }

    private int extended(int length, char next) {
        int longest = length;
        while (longest > 0 && (longest == borders.length || sought.charAt(longest) != next)) {
            longest = borders[longest - 1];
        }
        return sought.charAt(longest) == next ? longest + 1 : longest;
    }

    /// The end of the next one; -1 when there is none. It may begin inside the last.
    int next() {
        while (at < text.length()) {
            matched = extended(matched, text.charAt(at++));
            if (matched == borders.length) {
                return at;
            }
        }
        return -1;
    }

    /// The next one begins behind the last.
    void leave() {
        matched = 0;
    }
}
