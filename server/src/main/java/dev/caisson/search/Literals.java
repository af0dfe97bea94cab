package dev.caisson.search;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Longest text that every match of an expression holds: only lines that have it are looked at
/// further.
///
/// @param text as UTF-8 in one character per byte
/// @param whole whether a line that holds it matches
record Literals(String text, boolean whole) {
    /// A shorter one is in too many lines to be of use.
    private static final int LENGTH_MIN = 2;

    /// How much of a repeated text is written out.
    private static final int LENGTH_MAX = 200;

    static Optional<Literals> of(Syntax syntax) {
        var found = new Finder();
        found.see(syntax);
        found.end();
        return found.longest.length() >= LENGTH_MIN
                ? Optional.of(new Literals(found.longest, found.exact))
                : Optional.empty();
    }

    private static final class Finder {
        private final StringBuilder now = new StringBuilder();
        private String longest = "";
        private boolean exact = true;

        void see(Syntax part) {
            switch (part) {
                case Syntax.OneOf(var set) when set.isOne() && now.length() < LENGTH_MAX ->
                        now.append(bytes(set.from(0)));
                case Syntax.OneOf _ -> cut();
                case Syntax.Sequence(var parts) -> parts.forEach(this::see);
                case Syntax.Either _ -> cut();
                case Syntax.At _ -> exact = false;
                case Syntax.Repeat repeat -> see(repeat);
            }
        }

        private void see(Syntax.Repeat repeat) {
            if (repeat.min() == 0) {
                cut();
                return;
            }
            see(repeat.part());
            if (repeat.min() != 1 || repeat.max() != 1) {
                cut();
            }
        }

        private void cut() {
            exact = false;
            end();
        }

        void end() {
            if (now.length() > longest.length()) {
                longest = now.toString();
            }
            now.setLength(0);
        }
    }

    private static String bytes(int point) {
        var utf8 = Character.toString(point).getBytes(StandardCharsets.UTF_8);
        return new String(utf8, StandardCharsets.ISO_8859_1);
    }
}
