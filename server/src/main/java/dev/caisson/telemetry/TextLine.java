package dev.caisson.telemetry;

import java.util.HexFormat;

/// One line of the log for people: words with spaces between, coloured where a terminal shows them.
/// Control and format characters of a word are escaped, so nothing a client or a program says can
/// start a line, change a colour or move the cursor.
public final class TextLine {
    /// Longer words are cut, and say so.
    static final int WORD_CHARS_MAX = 2_000;

    private static final HexFormat HEX = HexFormat.of();
    private static final String PLAIN = "\u001b[0m";

    /// Tone of a word.
    public enum Tone {
        PLAIN(""),
        FAINT("\u001b[2m"),
        GOOD("\u001b[32m"),
        NOTABLE("\u001b[33m"),
        BAD("\u001b[31m");

        private final String code;

        Tone(String code) {
            this.code = code;
        }

        /// Of a status of HTTP.
        public static Tone ofStatus(int status) {
            return status < 400 ? GOOD : status < 500 ? NOTABLE : BAD;
        }
    }

    private final boolean coloured;
    private final StringBuilder out = new StringBuilder(120);

    TextLine(boolean coloured) {
        this.coloured = coloured;
    }

    public TextLine word(String text) {
        return word(text, Tone.PLAIN);
    }

    public TextLine word(String text, Tone tone) {
        if (!out.isEmpty()) {
            out.append(' ');
        }
        boolean paints = coloured && tone != Tone.PLAIN;
        if (paints) {
            out.append(tone.code);
        }
        append(text);
        if (paints) {
            out.append(PLAIN);
        }
        return this;
    }

    /// Such as `127ms`.
    public TextLine time(long nanos) {
        long micros = nanos / 1_000;
        var text = micros < 10_000 ? "%.1fms".formatted(micros / 1e3) : micros / 1_000 + "ms";
        return word(text, Tone.FAINT);
    }

    String end() {
        return out.append('\n').toString();
    }

    /// The lines of a stack trace, each indented, so that none looks like a line of the log.
    String endWith(String trace) {
        out.append('\n');
        trace.lines()
                .forEach(line -> {
                    out.append("    ");
                    append(line.stripTrailing());
                    out.append('\n');
                });
        return out.toString();
    }

    private void append(String text) {
        int length = Math.min(text.length(), WORD_CHARS_MAX);
        for (int i = 0; i < length; i++) {
            escape(text.charAt(i));
        }
        if (length < text.length()) {
            out.append("… (").append(text.length()).append(" characters)");
        }
    }

    /// Pairs of surrogates are escaped too: some of them are format characters.
    private void escape(char c) {
        boolean shown =
                switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.UNASSIGNED ->
                            c == '\t';
                    default -> true;
                };
        if (shown) {
            out.append(c == '\t' ? ' ' : c);
        } else {
            out.append("\\u").append(HEX.toHexDigits(c));
        }
    }
}
