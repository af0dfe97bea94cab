package dev.caisson.edit;

/// A patch cannot be read. The message says where and what would be right.
public final class PatchSyntax extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_MAX = 80;

    /// @param line from 1
    PatchSyntax(int line, String text, String expected) {
        super(
                "patch cannot be read: line %d (\"%s\"): %s"
                        .formatted(line, Cut.of(TextBytes.shown(text), SHOWN_MAX, "…"), expected));
    }

    PatchSyntax(String message) {
        super("patch cannot be read: " + message);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }
}
