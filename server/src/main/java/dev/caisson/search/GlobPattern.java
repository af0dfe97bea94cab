package dev.caisson.search;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Pattern of paths, as Git has them: `*`, `?` and `[…]` within a name, `**` over names. It is
/// matched in time that grows with the pattern and the path, whatever they are.
final class GlobPattern {
    /// Longer ones are refused.
    static final int LENGTH_MAX = 1_000;

    /// How many patterns braces may stand for.
    static final int ALTERNATIVES_MAX = 200;

    private static final int STAR = -1;
    private static final int ANY = -2;
    private static final int DEEP = -3;
    private static final int ALL = -4;
    private static final int SET = -5;

    /// The characters, or what stands for some of them.
    private final int[] tokens;

    /// The set of a token that is one.
    private final List<CodePoints> sets;

    private final boolean plain;

    private GlobPattern(int[] tokens, List<CodePoints> sets) {
        this.tokens = tokens;
        this.sets = List.copyOf(sets);
        plain = Arrays.stream(tokens).allMatch(token -> token >= 0);
    }

    /// Reads a pattern that a caller wrote, with braces. One without a slash is matched by names at
    /// any depth.
    ///
    /// @param argument its name, for the caller
    /// @throws Refusal INVALID_ARGUMENT when it is too long or stands for too many
    static List<GlobPattern> alternatives(String argument, String pattern) {
        if (pattern.length() > LENGTH_MAX) {
            throw refused(argument, "is longer than " + LENGTH_MAX + " characters");
        }
        var all = new ArrayList<String>();
        expand(argument, "", pattern, all);
        return all.stream()
                .map(each -> each.startsWith("./") ? each.substring(2) : each)
                .map(each ->
                        each.startsWith("/")
                                ? each.substring(1)
                                : each.contains("/") ? each : "**/" + each)
                .map(each -> of(each.codePoints().toArray()))
                .toList();
    }

    private static Refusal refused(String argument, String why) {
        return new Refusal(
                Reason.INVALID_ARGUMENT, argument + " " + why + ".", Map.of("parameter", argument));
    }

    private static void expand(String argument, String before, String rest, List<String> all) {
        int open = brace(rest, 0, '{');
        int close = open < 0 ? -1 : closing(rest, open);
        if (close < 0) {
            all.add(before + rest);
            if (all.size() > ALTERNATIVES_MAX) {
                throw refused(
                        argument,
                        "has braces that stand for more than " + ALTERNATIVES_MAX + " patterns");
            }
            return;
        }
        for (int from = open + 1; from <= close; ) {
            int to = comma(rest, from, close);
            expand(
                    argument,
                    before + rest.substring(0, open),
                    rest.substring(from, to) + rest.substring(close + 1),
                    all);
            from = to + 1;
        }
    }

    private static int brace(String text, int from, char wanted) {
        for (int at = from; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == wanted) {
                return at;
            }
        }
        return -1;
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int at = open; at < text.length(); at++) {
            switch (text.charAt(at)) {
                case '\\' -> at++;
                case '{' -> depth++;
                case '}' -> depth--;
                default -> {}
            }
            if (depth == 0) {
                return at;
            }
        }
        return -1;
    }

    private static int comma(String text, int from, int close) {
        int depth = 0;
        for (int at = from; at < close; at++) {
            switch (text.charAt(at)) {
                case '\\' -> at++;
                case '{' -> depth++;
                case '}' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        return at;
                    }
                }
                default -> {}
            }
        }
        return close;
    }

    static GlobPattern of(int[] text) {
        var tokens = new int[text.length];
        var sets = new ArrayList<CodePoints>();
        int count = 0;
        for (int at = 0; at < text.length; ) {
            int point = text[at];
            if (point == '\\' && at + 1 < text.length) {
                tokens[count++] = text[at + 1];
                at += 2;
            } else if (point == '?') {
                tokens[count++] = ANY;
                at++;
            } else if (point == '*') {
                int stars = at;
                while (stars < text.length && text[stars] == '*') {
                    stars++;
                }
                boolean begins = at == 0 || text[at - 1] == '/';
                boolean ends = stars == text.length || text[stars] == '/';
                if (stars - at >= 2 && begins && ends) {
                    tokens[count++] = stars == text.length ? ALL : DEEP;
                    at = stars == text.length ? stars : stars + 1;
                } else {
                    tokens[count++] = STAR;
                    at = stars;
                }
            } else if (point == '[') {
                int close = setEnd(text, at);
                if (close < 0) {
                    tokens[count++] = '[';
                    at++;
                } else {
                    tokens[count++] = SET - sets.size();
                    sets.add(set(text, at + 1, close));
                    at = close + 1;
                }
            } else {
                tokens[count++] = point;
                at++;
            }
        }
        return new GlobPattern(Arrays.copyOf(tokens, count), sets);
    }

    private static int setEnd(int[] text, int open) {
        int at = open + 1;
        if (at < text.length && (text[at] == '!' || text[at] == '^')) {
            at++;
        }
        if (at < text.length && text[at] == ']') {
            at++;
        }
        while (at < text.length && text[at] != ']') {
            at += text[at] == '\\' ? 2 : posixEnd(text, at) - at;
        }
        return at < text.length ? at : -1;
    }

    /// @return behind a name such as `[:alpha:]`, or behind one character
    private static int posixEnd(int[] text, int at) {
        if (text[at] != '[' || at + 1 >= text.length || text[at + 1] != ':') {
            return at + 1;
        }
        for (int end = at + 2; end + 1 < text.length; end++) {
            if (text[end] == ':' && text[end + 1] == ']') {
                return end + 2;
            }
        }
        return at + 1;
    }

    private static CodePoints set(int[] text, int from, int to) {
        boolean not = text[from] == '!' || text[from] == '^';
        var all = CodePoints.NONE;
        for (int at = not ? from + 1 : from; at < to; ) {
            int named = posixEnd(text, at);
            if (named > at + 1) {
                all = all.or(ExpressionParser.named(new String(text, at + 2, named - at - 4)));
                at = named;
                continue;
            }
            at += text[at] == '\\' && at + 1 < to ? 1 : 0;
            int first = text[at++];
            if (at + 1 < to && text[at] == '-') {
                at += text[at + 1] == '\\' && at + 2 < to ? 2 : 1;
                int last = text[at++];
                all = first <= last ? all.or(CodePoints.range(first, last)) : all;
            } else {
                all = all.or(CodePoints.of(first));
            }
        }
        return not ? all.not() : all;
    }

    /// @param path characters of the path, see [NamePoints]
    boolean matches(int[] path, int from, int to) {
        if (plain) {
            return Arrays.equals(path, from, to, tokens, 0, tokens.length);
        }
        var now = new boolean[tokens.length + 1];
        var next = new boolean[tokens.length + 1];
        enter(now, 0);
        for (int at = from; at < to; at++) {
            boolean any = false;
            for (int token = 0; token < tokens.length; token++) {
                if (now[token]) {
                    any |= pass(next, token, path[at]);
                }
            }
            if (!any) {
                return false;
            }
            var spent = now;
            now = next;
            next = spent;
            Arrays.fill(next, false);
        }
        return now[tokens.length];
    }

    /// @return whether there is a way on
    private boolean pass(boolean[] next, int token, int point) {
        int kind = tokens[token];
        boolean slash = point == '/';
        if (kind == STAR) {
            if (!slash) {
                enter(next, token);
            }
            return !slash;
        }
        if (kind == DEEP) {
            next[token] = true;
            if (slash) {
                enter(next, token + 1);
            }
            return true;
        }
        if (kind == ALL) {
            next[token] = true;
            enter(next, token + 1);
            return true;
        }
        boolean passes =
                kind >= 0
                        ? kind == point
                        : !slash && (kind == ANY || sets.get(SET - kind).contains(point));
        if (passes) {
            enter(next, token + 1);
        }
        return passes;
    }

    private void enter(boolean[] into, int token) {
        for (int at = token; !into[at]; at++) {
            into[at] = true;
            if (at == tokens.length || (tokens[at] != STAR && tokens[at] != DEEP)) {
                return;
            }
        }
    }
}
