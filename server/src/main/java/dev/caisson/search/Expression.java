package dev.caisson.search;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// Regular expression of a caller's that is looked for in lines. Each byte of a text is looked at
/// once, whatever the expression, and the memory it takes is bounded, see [LazyDfa].
///
/// The syntax is that of Rust's `regex`, as ripgrep has it: no looking ahead or behind and no
/// reference to a group. `^` and `$` are the ends of a line. A character beyond ASCII is one of a
/// word for `\b`; bytes that are not UTF-8 match nothing.
public final class Expression {
    /// Longer ones are refused.
    public static final int LENGTH_MAX = 1_000;

    private final Program forwards;
    private final Program backwards;
    private final Optional<Literals> literals;
    private final Optional<Needles> needles;
    private final boolean anywhere;

    private Expression(Syntax syntax) {
        forwards = new Program(syntax, false);
        backwards = new Program(syntax, true);
        literals = Literals.of(syntax);
        needles = literals.isPresent() ? Optional.empty() : Needles.of(syntax);
        anywhere = !startsLine(syntax);
    }

    /// @param name of the argument, for the caller
    /// @throws Refusal INVALID_ARGUMENT when it is none, or too large
    public static Expression of(String name, String expression, boolean ignoreCase) {
        if (expression.length() > LENGTH_MAX) {
            throw refused(name, "is longer than " + LENGTH_MAX + " characters");
        }
        try {
            return new Expression(new ExpressionParser(expression, ignoreCase).parse());
        } catch (ExpressionParser.Wrong wrong) {
            throw refused(
                    name,
                    "is not a regular expression: it "
                            + wrong.getMessage()
                            + ". It was "
                            + expression);
        } catch (Program.TooLarge large) {
            throw refused(
                    name,
                    "is too large: written out, it has more than " + Program.STEPS_MAX + " steps");
        }
    }

    private static Refusal refused(String name, String why) {
        return new Refusal(
                Reason.INVALID_ARGUMENT, name + " " + why + ".", Map.of("parameter", name));
    }

    private static boolean startsLine(Syntax syntax) {
        return switch (syntax) {
            case Syntax.At(var place) -> place == Syntax.Place.LINE_START;
            case Syntax.Sequence(var parts) -> !parts.isEmpty() && startsLine(parts.getFirst());
            case Syntax.Either(var parts) ->
                    !parts.isEmpty() && parts.stream().allMatch(Expression::startsLine);
            case Syntax.Repeat repeat -> repeat.min() > 0 && startsLine(repeat.part());
            case Syntax.OneOf _ -> false;
        };
    }

    /// A way to look for it, which belongs to one thread at a time.
    public Search search() {
        return new Search(() -> {});
    }

    /// The same for texts that may be made to take long.
    ///
    /// @param watch is called now and then; what it throws ends a search
    public Search search(Runnable watch) {
        return new Search(watch);
    }

    /// Search for an expression in one text after the other.
    public final class Search {
        private final Runnable watch;
        private final LazyDfa lines;
        private Optional<LazyDfa> starts = Optional.empty();
        private byte[] text = {};
        private int begin;
        private int end;

        /// The same bytes in one character each: the JVM finds strings in strings fast.
        private String characters = "";

        private Search(Runnable watch) {
            this.watch = watch;
            lines = new LazyDfa(forwards, anywhere, watch);
        }

        /// Whether a text, as one line, matches.
        public boolean isFoundIn(String line) {
            var bytes = line.getBytes(StandardCharsets.UTF_8);
            in(bytes, 0, bytes.length);
            return next(0) >= 0;
        }

        /// Looks in another text.
        ///
        /// @param from where a line begins
        /// @param to behind the last byte, where a line ends; not behind its line break
        public void in(byte[] newText, int from, int to) {
            text = newText;
            begin = from;
            end = to;
            characters =
                    literals.isPresent()
                            ? new String(text, from, to - from, StandardCharsets.ISO_8859_1)
                            : "";
        }

        /// Finds the next line that matches.
        ///
        /// @param from where a line begins
        /// @return a place in that line, or at its end; -1 when there is none
        public int next(int from) {
            if (literals.isEmpty() && needles.isEmpty()) {
                return lines.find(text, from, end);
            }
            int at = from;
            while (at < end) {
                int found = candidate(at);
                if (found < 0) {
                    return -1;
                }
                if (literals.isPresent() && literals.get().whole()) {
                    return found;
                }
                int lineEnd = lineEnd(found);
                int match = lines.find(text, lineStart(found), lineEnd);
                if (match >= 0) {
                    return match;
                }
                at = lineEnd + 1;
            }
            return -1;
        }

        /// The next place without whose line there is no match.
        private int candidate(int from) {
            if (needles.isPresent()) {
                return needles.get().find(text, from, end);
            }
            int found = characters.indexOf(literals.orElseThrow().text(), from - begin);
            return found < 0 ? found : begin + found;
        }

        /// Where the line begins that has a place.
        public int lineStart(int place) {
            int at = place;
            while (at > begin && text[at - 1] != '\n') {
                at--;
            }
            return at;
        }

        /// Where the line ends that has a place.
        public int lineEnd(int place) {
            return lineEnd(place, end);
        }

        int lineEnd(int place, int limit) {
            int at = place;
            while (at < limit && text[at] != '\n') {
                at++;
            }
            return at;
        }

        /// Where the first match begins in a line that matches.
        public int leftmost(int lineStart, int lineEnd) {
            if (starts.isEmpty()) {
                starts = Optional.of(new LazyDfa(backwards, true, watch));
            }
            return starts.get().leftmost(text, lineStart, lineEnd);
        }
    }
}
