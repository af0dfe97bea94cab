package dev.caisson.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Parser of expressions in the syntax of Rust's `regex`, for text without line breaks.
///
/// A group that captures is a group; whether a repetition is lazy makes no difference to whether
/// there is a match and where it begins.
final class ExpressionParser {
    /// How deep groups and sets may be nested.
    static final int DEPTH_MAX = 100;

    /// How often something may be repeated by a count.
    static final int COUNT_MAX = 1_000;

    private static final CodePoints ASCII = CodePoints.range(0, 0x7f);
    private static final int END = -1;

    private static final Map<String, CodePoints> NAMED =
            Map.ofEntries(
                    Map.entry("alnum", set("09AZaz")),
                    Map.entry("alpha", set("AZaz")),
                    Map.entry("ascii", ASCII),
                    Map.entry("blank", set("\t\t  ")),
                    Map.entry("cntrl", CodePoints.range(0, 0x1f).or(CodePoints.of(0x7f))),
                    Map.entry("digit", set("09")),
                    Map.entry("graph", set("!~")),
                    Map.entry("lower", set("az")),
                    Map.entry("print", set(" ~")),
                    Map.entry("punct", set("!/:@[`{~")),
                    Map.entry("space", set("\t\r  ")),
                    Map.entry("upper", set("AZ")),
                    Map.entry("word", set("09AZ__az")),
                    Map.entry("xdigit", set("09AFaf")));

    /// What the letters in `(?…)` switch.
    private record Flags(boolean ignoreCase, boolean extended, boolean unicode) {}

    private final int[] text;
    private int at;
    private int depth;
    private Flags flags;

    /// The expression is not one.
    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String why) {
            super(why, null, false, false);
        }
    }

    ExpressionParser(String expression, boolean ignoreCase) {
        text = expression.codePoints().toArray();
        flags = new Flags(ignoreCase, false, true);
    }

    /// @throws Wrong with words that say what is wrong, and where
    Syntax parse() {
        var all = alternatives();
        if (at < text.length) {
            throw wrong("has a ) that closes nothing", at);
        }
        return all;
    }

    private Wrong wrong(String why, int where) {
        return new Wrong(why + ", at offset " + where);
    }

    private int peek() {
        return at < text.length ? text[at] : END;
    }

    private boolean take(int point) {
        if (peek() != point) {
            return false;
        }
        at++;
        return true;
    }

    private boolean take(String word) {
        if (!looksAt(word)) {
            return false;
        }
        at += word.length();
        return true;
    }

    private boolean looksAt(String word) {
        for (int each = 0; each < word.length(); each++) {
            if (at + each >= text.length || text[at + each] != word.charAt(each)) {
                return false;
            }
        }
        return true;
    }

    private Syntax alternatives() {
        if (++depth > DEPTH_MAX) {
            throw wrong("is nested deeper than " + DEPTH_MAX, at);
        }
        var outer = flags;
        var parts = new ArrayList<Syntax>();
        do {
            parts.add(sequence());
        } while (take('|'));
        flags = outer;
        depth--;
        return parts.size() == 1 ? parts.getFirst() : new Syntax.Either(parts);
    }

    private Syntax sequence() {
        var parts = new ArrayList<Syntax>();
        while (at < text.length && peek() != '|' && peek() != ')') {
            if (!skipSpace()) {
                piece().ifPresent(parts::add);
            }
        }
        return parts.size() == 1 ? parts.getFirst() : new Syntax.Sequence(parts);
    }

    /// @return whether something was left out that means nothing
    private boolean skipSpace() {
        if (!flags.extended()) {
            return false;
        }
        if (take('#')) {
            while (at < text.length && text[at] != '\n') {
                at++;
            }
            return true;
        }
        if (Character.isWhitespace(peek())) {
            at++;
            return true;
        }
        return false;
    }

    private Optional<Syntax> piece() {
        int begin = at;
        var atom = atom();
        if (atom.isEmpty()) {
            return atom;
        }
        var piece = atom.get();
        for (var count = count(); count.isPresent(); count = count()) {
            if (++depth > DEPTH_MAX) {
                throw wrong("is nested deeper than " + DEPTH_MAX, begin);
            }
            piece = new Syntax.Repeat(piece, count.get()[0], count.get()[1]);
        }
        depth = depthAfter(piece, depth);
        return Optional.of(piece);
    }

    /// Repetitions of repetitions count as nesting while they are read.
    private static int depthAfter(Syntax piece, int depth) {
        int left = depth;
        for (var each = piece; each instanceof Syntax.Repeat repeat; each = repeat.part()) {
            left--;
        }
        return Math.max(0, left);
    }

    /// @return how often at least and at most
    private Optional<int[]> count() {
        int begin = at;
        int[] found;
        if (take('*')) {
            found = new int[] {0, Syntax.Repeat.ENDLESS};
        } else if (take('+')) {
            found = new int[] {1, Syntax.Repeat.ENDLESS};
        } else if (take('?')) {
            found = new int[] {0, 1};
        } else if (isCount()) {
            at++;
            found = braces(begin);
        } else {
            return Optional.empty();
        }
        take('?');
        return Optional.of(found);
    }

    /// A brace that counts nothing stands for itself.
    private boolean isCount() {
        int end = at + 1;
        while (end < text.length && text[end] >= '0' && text[end] <= '9') {
            end++;
        }
        if (peek() != '{' || end == at + 1) {
            return false;
        }
        if (end < text.length && text[end] == ',') {
            end++;
            while (end < text.length && text[end] >= '0' && text[end] <= '9') {
                end++;
            }
        }
        return end < text.length && text[end] == '}';
    }

    private int[] braces(int begin) {
        int least = number(begin);
        int most = least;
        if (take(',')) {
            most = peek() == '}' ? Syntax.Repeat.ENDLESS : number(begin);
        }
        at++;
        if (most != Syntax.Repeat.ENDLESS && most < least) {
            throw wrong("has a count whose end is before its beginning", begin);
        }
        return new int[] {least, most};
    }

    private int number(int begin) {
        int value = 0;
        while (peek() >= '0' && peek() <= '9') {
            value = Math.min(COUNT_MAX + 1, value * 10 + text[at++] - '0');
        }
        if (value > COUNT_MAX) {
            throw wrong("repeats something more than " + COUNT_MAX + " times", begin);
        }
        return value;
    }

    private Optional<Syntax> atom() {
        int begin = at;
        int point = text[at++];
        return switch (point) {
            case '(' -> group(begin);
            case '[' -> Optional.of(new Syntax.OneOf(set(begin)));
            case '.' -> Optional.of(new Syntax.OneOf(CodePoints.of('\n').not()));
            case '^' -> Optional.of(new Syntax.At(Syntax.Place.LINE_START));
            case '$' -> Optional.of(new Syntax.At(Syntax.Place.LINE_END));
            case '*', '+', '?' -> throw wrong("repeats nothing", begin);
            case '\\' -> Optional.of(escape(begin));
            default -> Optional.of(character(point, begin));
        };
    }

    private Syntax character(int point, int where) {
        if (point == '\n') {
            throw wrong("asks for a line break, and lines have none", where);
        }
        return new Syntax.OneOf(folded(CodePoints.of(point)));
    }

    private CodePoints folded(CodePoints set) {
        if (!flags.ignoreCase()) {
            return set;
        }
        var all = set.ignoringCase();
        return flags.unicode() ? all : all.and(ASCII).or(set);
    }

    /// @return empty for flags alone
    private Optional<Syntax> group(int begin) {
        if (!take('?')) {
            return Optional.of(inGroup(begin, flags));
        }
        for (var look : List.of("=", "!", "<=", "<!")) {
            if (looksAt(look)) {
                throw wrong("looks ahead or behind, which is not possible here", begin);
            }
        }
        if (take("P<") || take('<')) {
            while (at < text.length && text[at] != '>') {
                at++;
            }
            if (!take('>')) {
                throw wrong("has a group whose name does not end", begin);
            }
            return Optional.of(inGroup(begin, flags));
        }
        var inside = flags(begin);
        if (take(')')) {
            flags = inside;
            return Optional.empty();
        }
        if (!take(':')) {
            throw wrong("has a group that begins with what is no flag", begin);
        }
        return Optional.of(inGroup(begin, inside));
    }

    private Flags flags(int begin) {
        var now = flags;
        boolean on = true;
        while (peek() != ')' && peek() != ':') {
            if (take('-')) {
                on = false;
                continue;
            }
            now =
                    switch (peek()) {
                        case 'i' -> new Flags(on, now.extended(), now.unicode());
                        case 'x' -> new Flags(now.ignoreCase(), on, now.unicode());
                        case 'u' -> new Flags(now.ignoreCase(), now.extended(), on);
                        case 'm', 's', 'U', 'R' -> now;
                        default ->
                                throw wrong("has a group that begins with what is no flag", begin);
                    };
            at++;
        }
        return now;
    }

    private Syntax inGroup(int begin, Flags inside) {
        var outer = flags;
        flags = inside;
        var all = alternatives();
        flags = outer;
        if (!take(')')) {
            throw wrong("has a ( that is not closed", begin);
        }
        return all;
    }

    private Syntax escape(int begin) {
        if (at >= text.length) {
            throw wrong("ends with a \\", begin);
        }
        int point = text[at];
        var place =
                switch (point) {
                    case 'A' -> Optional.of(Syntax.Place.LINE_START);
                    case 'z' -> Optional.of(Syntax.Place.LINE_END);
                    case 'b' -> Optional.of(border());
                    case 'B' -> Optional.of(Syntax.Place.NO_WORD_BORDER);
                    case '<' -> Optional.of(Syntax.Place.WORD_START);
                    case '>' -> Optional.of(Syntax.Place.WORD_END);
                    default -> Optional.<Syntax.Place>empty();
                };
        if (place.isPresent()) {
            at++;
            return new Syntax.At(place.get());
        }
        if ((point >= '1' && point <= '9') || point == 'k') {
            throw wrong("refers back to a group, which is not possible here", begin);
        }
        var kind = kind();
        if (kind.isPresent()) {
            return new Syntax.OneOf(folded(kind.get()));
        }
        return character(escaped(begin), begin);
    }

    private Syntax.Place border() {
        if (take("b{start}") || take("b{start-half}")) {
            at--;
            return Syntax.Place.WORD_START;
        }
        if (take("b{end}") || take("b{end-half}")) {
            at--;
            return Syntax.Place.WORD_END;
        }
        return Syntax.Place.WORD_BORDER;
    }

    /// A kind of character behind a backslash, such as `d`.
    private Optional<CodePoints> kind() {
        int point = peek();
        boolean ascii = !flags.unicode();
        var found =
                switch (point) {
                    case 'd' -> ascii ? named("digit") : Kinds.DIGIT;
                    case 'D' -> (ascii ? named("digit") : Kinds.DIGIT).not();
                    case 's' -> ascii ? named("space") : Kinds.SPACE;
                    case 'S' -> (ascii ? named("space") : Kinds.SPACE).not();
                    case 'w' -> ascii ? named("word") : Kinds.WORD;
                    case 'W' -> (ascii ? named("word") : Kinds.WORD).not();
                    case 'p', 'P' -> property();
                    default -> CodePoints.NONE;
                };
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (point != 'p' && point != 'P') {
            at++;
        }
        return Optional.of(found);
    }

    static CodePoints named(String name) {
        return NAMED.getOrDefault(name, CodePoints.NONE);
    }

    private CodePoints property() {
        int begin = at - 1;
        boolean not = text[at++] == 'P';
        var name = new StringBuilder();
        if (take('{')) {
            not ^= take('^');
            while (at < text.length && text[at] != '}') {
                name.appendCodePoint(text[at++]);
            }
            if (!take('}')) {
                throw wrong("has a property whose name does not end", begin);
            }
        } else if (at < text.length) {
            name.appendCodePoint(text[at++]);
        }
        var set =
                Properties.of(name.toString())
                        .filter(found -> !found.isEmpty())
                        .orElseThrow(
                                () -> wrong("names a property that is not known: " + name, begin));
        return not ? set.not() : set;
    }

    /// The one character a backslash and what follows stand for.
    private int escaped(int begin) {
        int point = text[at++];
        return switch (point) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'v' -> 0x0b;
            case 'a' -> 7;
            case 'x' -> hex(2, begin);
            case 'u' -> hex(4, begin);
            case 'U' -> hex(8, begin);
            default -> {
                if (point < 0x80 && Character.isLetterOrDigit(point)) {
                    throw wrong(
                            "has a \\" + Character.toString(point) + ", which is unknown", begin);
                }
                yield point;
            }
        };
    }

    private int hex(int digits, int begin) {
        boolean braced = take('{');
        int value = 0;
        int seen = 0;
        while (at < text.length
                && (braced || seen < digits)
                && Character.digit(text[at], 16) >= 0
                && value <= CodePoints.LAST) {
            value = value * 16 + Character.digit(text[at++], 16);
            seen++;
        }
        if (seen == 0 || (braced && !take('}')) || value > CodePoints.LAST) {
            throw wrong("has a number of a character that is none", begin);
        }
        return value;
    }

    /// Reads a set behind its bracket.
    private CodePoints set(int begin) {
        if (++depth > DEPTH_MAX) {
            throw wrong("is nested deeper than " + DEPTH_MAX, begin);
        }
        boolean not = take('^');
        var all = CodePoints.NONE;
        if (take(']')) {
            all = CodePoints.of(']');
        }
        while (!take(']')) {
            if (at >= text.length) {
                throw wrong("has a [ that is not closed", begin);
            }
            if (take("&&")) {
                all = all.and(operand(begin));
            } else if (take("--")) {
                all = all.and(operand(begin).not());
            } else if (take("~~")) {
                var other = operand(begin);
                all = all.or(other).and(all.and(other).not());
            } else {
                all = all.or(item(begin));
            }
        }
        depth--;
        var folded = folded(all);
        return not ? folded.not() : folded;
    }

    /// What stands behind an operator, up to the next one.
    private CodePoints operand(int begin) {
        var all = CodePoints.NONE;
        while (at < text.length
                && peek() != ']'
                && !looksAt("&&")
                && !looksAt("--")
                && !looksAt("~~")) {
            all = all.or(item(begin));
        }
        return all;
    }

    private CodePoints item(int begin) {
        if (looksAt("[:")) {
            var named = posix();
            if (named.isPresent()) {
                return named.get();
            }
        }
        if (take('[')) {
            return set(at - 1);
        }
        if (take('\\')) {
            if (at >= text.length) {
                throw wrong("has a [ that is not closed", begin);
            }
            var kind = kind();
            if (kind.isPresent()) {
                return kind.get();
            }
            return range(peek() == 'b' ? backspace() : escaped(at - 1), begin);
        }
        return range(text[at++], begin);
    }

    private int backspace() {
        at++;
        return '\b';
    }

    private Optional<CodePoints> posix() {
        int end = at + 2;
        while (end < text.length && (text[end] == '^' || Character.isLetter(text[end]))) {
            end++;
        }
        if (end + 1 >= text.length || text[end] != ':' || text[end + 1] != ']') {
            return Optional.empty();
        }
        var name = new String(text, at + 2, end - at - 2).toLowerCase(Locale.ROOT);
        boolean not = name.startsWith("^");
        var found = named(not ? name.substring(1) : name);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        at = end + 2;
        return Optional.of(not ? found.not() : found);
    }

    private CodePoints range(int from, int begin) {
        if (peek() != '-' || at + 1 >= text.length || text[at + 1] == ']' || text[at + 1] == '-') {
            return CodePoints.of(from);
        }
        at++;
        int to = text[at++];
        if (to == '\\') {
            if (at >= text.length) {
                throw wrong("has a [ that is not closed", begin);
            }
            to = escaped(at - 1);
        }
        if (to < from) {
            throw wrong("has a range whose end is before its beginning", begin);
        }
        return CodePoints.range(from, to);
    }

    /// @param bounds first and last of each range
    private static CodePoints set(String bounds) {
        var all = CodePoints.NONE;
        for (int each = 0; each < bounds.length(); each += 2) {
            all = all.or(CodePoints.range(bounds.charAt(each), bounds.charAt(each + 1)));
        }
        return all;
    }

    /// Kinds of characters in all writings, made when a first expression needs them.
    private static final class Kinds {
        static final CodePoints DIGIT =
                CodePoints.where(at -> Character.getType(at) == Character.DECIMAL_DIGIT_NUMBER);
        static final CodePoints SPACE =
                CodePoints.where(
                        at -> Character.isSpaceChar(at) || (at >= 9 && at <= 13) || at == 0x85);
        static final CodePoints WORD = CodePoints.where(Kinds::isWord);

        private static boolean isWord(int at) {
            return switch (Character.getType(at)) {
                case Character.NON_SPACING_MARK,
                        Character.ENCLOSING_MARK,
                        Character.COMBINING_SPACING_MARK,
                        Character.DECIMAL_DIGIT_NUMBER,
                        Character.LETTER_NUMBER,
                        Character.CONNECTOR_PUNCTUATION ->
                        true;
                default -> Character.isAlphabetic(at) || at == 0x200c || at == 0x200d;
            };
        }
    }
}
