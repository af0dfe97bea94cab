package dev.caisson.search;

import java.util.List;

/// Syntax tree of an expression. Groups and which of several matches is taken are left out: it is
/// asked only whether and where a line matches.
sealed interface Syntax {
    Syntax EMPTY = new Sequence(List.of());

    /// One character of a set.
    record OneOf(CodePoints set) implements Syntax {}

    /// One after the other.
    record Sequence(List<Syntax> parts) implements Syntax {
        public Sequence {
            parts = List.copyOf(parts);
        }
    }

    /// One of them.
    record Either(List<Syntax> parts) implements Syntax {
        public Either {
            parts = List.copyOf(parts);
        }
    }

    /// @param max [#ENDLESS] for as often as it will
    record Repeat(Syntax part, int min, int max) implements Syntax {
        static final int ENDLESS = -1;
    }

    /// A place that takes no character.
    record At(Place place) implements Syntax {}

    /// What must be true of a place. A line is all the text there is.
    enum Place {
        LINE_START,
        LINE_END,
        WORD_BORDER,
        NO_WORD_BORDER,
        WORD_START,
        WORD_END;

        /// The same read from behind.
        Place reversed() {
            return switch (this) {
                case LINE_START -> LINE_END;
                case LINE_END -> LINE_START;
                case WORD_START -> WORD_END;
                case WORD_END -> WORD_START;
                case WORD_BORDER, NO_WORD_BORDER -> this;
            };
        }
    }
}
