package dev.caisson.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Lines of a patch, read one after the other.
final class PatchLines {
    private final List<String> lines;
    private int at;

    PatchLines(String text) {
        lines = List.of(text.split("\n", -1));
    }

    boolean hasNext() {
        return at < lines.size();
    }

    /// The next one, which stays the next.
    String peek() {
        return hasNext() ? lines.get(at) : "";
    }

    /// The one behind the next.
    String peekBehind() {
        return at + 1 < lines.size() ? lines.get(at + 1) : "";
    }

    String next() {
        return lines.get(at++);
    }

    /// Whether everything that is left is empty.
    boolean isDone() {
        return lines.subList(at, lines.size()).stream().allMatch(String::isBlank);
    }

    /// What stands behind a beginning, if the next line has it.
    Optional<String> after(String beginning) {
        return peek().startsWith(beginning)
                ? Optional.of(next().substring(beginning.length()).strip())
                : Optional.empty();
    }

    PatchSyntax wrong(String expected) {
        return new PatchSyntax(Math.min(at + 1, lines.size()), peek(), expected);
    }

    /// The lines of a new file, each behind a plus sign.
    List<String> added() {
        var added = new ArrayList<String>();
        while (peek().startsWith("+")) {
            added.add(next().substring(1));
        }
        return added;
    }
}
