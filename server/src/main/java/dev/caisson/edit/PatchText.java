package dev.caisson.edit;

import java.util.List;

/// Text of a patch over several files, in one of two forms: an envelope that begins with `*** Begin
/// Patch`, or a unified diff as `diff -u` and `git diff` print it.
public final class PatchText {
    /// A patch of more files is refused.
    public static final int FILES_MAX = 200;

    /// A patch of more hunks, with the lines behind their `@@`, is refused.
    public static final int HUNKS_MAX = 2_000;

    private static final String FENCE = "```";

    private PatchText() {}

    /// @param text of [TextBytes]
    public static List<FilePatch> parse(String text) throws PatchSyntax {
        boolean crlf = LineEndings.of(text) == LineEndings.CRLF;
        var lines = new PatchLines(unfenced(crlf ? text.replace("\r\n", "\n") : text));
        while (lines.hasNext() && lines.peek().isBlank()) {
            lines.next();
        }
        var files =
                lines.peek().strip().equals(PatchEnvelope.BEGIN)
                        ? new PatchEnvelope(lines, crlf).files()
                        : new UnifiedDiff(lines, crlf).files();
        if (files.isEmpty()) {
            throw new PatchSyntax("it has no file.");
        }
        if (files.size() > FILES_MAX) {
            throw new PatchSyntax(
                    "it has %d files; %d are the most. Split it."
                            .formatted(files.size(), FILES_MAX));
        }
        long hunks = 0;
        for (var file : files) {
            hunks +=
                    file instanceof FilePatch.Update update
                            ? update.hunks().stream().mapToInt(Hunk::searches).sum()
                            : 0;
        }
        if (hunks > HUNKS_MAX) {
            throw new PatchSyntax(
                    "it has %d hunks; %d are the most. Split it.".formatted(hunks, HUNKS_MAX));
        }
        return files;
    }

    /// Without the Markdown fence around it.
    private static String unfenced(String text) {
        var inner = text.strip();
        int first = inner.indexOf('\n');
        return inner.startsWith(FENCE) && inner.endsWith("\n" + FENCE) && first < inner.length() - 4
                ? inner.substring(first + 1, inner.length() - FENCE.length())
                : text;
    }

    /// The content of a new file with these lines.
    static String content(List<String> lines, boolean crlf, boolean bare) {
        if (lines.isEmpty()) {
            return "";
        }
        var end = crlf ? "\r\n" : "\n";
        return String.join(end, lines) + (bare ? "" : end);
    }
}
