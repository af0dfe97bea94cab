package dev.caisson.telemetry;

import java.util.HexFormat;

/// One line of the log: a JSON object. Control characters are escaped, so nothing a client sends
/// can start a line of its own or reach a terminal.
public final class LogLine {
    /// Longer values are cut, and say so.
    static final int VALUE_CHARS_MAX = 32 * 1024;

    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder out = new StringBuilder(256);

    LogLine() {
        out.append('{');
    }

    public LogLine add(String key, String value) {
        key(key);
        text(value);
        return this;
    }

    public LogLine add(String key, long value) {
        key(key);
        out.append(value);
        return this;
    }

    /// With three decimals.
    public LogLine add(String key, double value) {
        key(key);
        long thousandths = Math.round(value * 1000);
        out.append(thousandths / 1000).append('.');
        long rest = Math.abs(thousandths % 1000);
        out.append(rest < 10 ? "00" : rest < 100 ? "0" : "").append(rest);
        return this;
    }

    String end() {
        return out.append("}\n").toString();
    }

    private void key(String key) {
        if (out.length() > 1) {
            out.append(',');
        }
        text(key);
        out.append(':');
    }

    private void text(String value) {
        out.append('"');
        int length = Math.min(value.length(), VALUE_CHARS_MAX);
        for (int i = 0; i < length; i++) {
            escape(value.charAt(i));
        }
        if (length < value.length()) {
            out.append("… (").append(value.length()).append(" characters)");
        }
        out.append('"');
    }

    private void escape(char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\t' -> out.append("\\t");
            default -> {
                if (Character.isISOControl(c) || isLineBreak(c) || Character.isSurrogate(c)) {
                    out.append("\\u").append(HEX.toHexDigits(c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    private static boolean isLineBreak(char c) {
        return c == '\u2028' || c == '\u2029';
    }
}
