package dev.caisson.executions;

/// Preview of a program: how it begins, for a list.
final class Preview {
    /// In characters.
    static final int LENGTH_MAX = 200;

    private static final int REPLACEMENT = 0xfffd;

    private Preview() {}

    /// Without what a database or a terminal does not take.
    static String of(String code) {
        var text = new StringBuilder();
        code.codePoints()
                .limit(LENGTH_MAX)
                .map(point -> isPlain(point) ? point : REPLACEMENT)
                .forEach(text::appendCodePoint);
        return text.toString();
    }

    private static boolean isPlain(int point) {
        return point == '\n'
                || point == '\t'
                || !(Character.isISOControl(point)
                        || Character.getType(point) == Character.SURROGATE);
    }
}
