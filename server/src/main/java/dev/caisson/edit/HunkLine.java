package dev.caisson.edit;

import java.util.Optional;

/// Line of a hunk by its first character.
final class HunkLine {
    private HunkLine() {}

    /// A line without any is an empty one that stays: its space is often lost on the way.
    static Optional<Hunk.Line> of(String line) {
        if (line.isEmpty()) {
            return Optional.of(new Hunk.Line(Hunk.Kind.STAYS, ""));
        }
        var text = line.substring(1);
        return switch (line.charAt(0)) {
            case ' ' -> Optional.of(new Hunk.Line(Hunk.Kind.STAYS, text));
            case '-' -> Optional.of(new Hunk.Line(Hunk.Kind.GOES, text));
            case '+' -> Optional.of(new Hunk.Line(Hunk.Kind.NEW, text));
            default -> Optional.empty();
        };
    }
}
