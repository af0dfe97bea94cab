package dev.caisson.redact;

/// Recognises one value in a stream of units, after Knuth, Morris and Pratt: its state is how much
/// of the value the stream ends with right now. Linear, whatever the stream.
final class Automaton {
    private final String value;
    private final int[] fallback;
    private int matched;

    Automaton(String value) {
        this.value = value;
        this.fallback = fallback(value);
    }

    private static int[] fallback(String value) {
        var table = new int[value.length()];
        var length = 0;
        for (var at = 1; at < table.length; at++) {
            while (length > 0 && value.charAt(at) != value.charAt(length)) {
                length = table[length - 1];
            }
            if (value.charAt(at) == value.charAt(length)) {
                length++;
            }
            table[at] = length;
        }
        return table;
    }

    int length() {
        return fallback.length;
    }

    int matched() {
        return matched;
    }

    /// @return whether the value is complete with this unit
    boolean next(char unit) {
        while (matched > 0 && value.charAt(matched) != unit) {
            matched = fallback[matched - 1];
        }
        if (value.charAt(matched) == unit) {
            matched++;
        }
        if (matched < fallback.length) {
            return false;
        }
        matched = fallback[matched - 1];
        return true;
    }
}
