package dev.caisson.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Deterministic automaton over the bytes of lines, made of a [Program] as far as texts need it. It
/// looks once at each byte, whatever the expression. When its states take too much memory it
/// forgets them and starts over. It belongs to one thread.
///
/// A state is the set of steps that are waited at; whether one of them has matched is known when
/// the next byte is, for a place may be asked about. A line break ends a line like the end of the
/// text.
final class LazyDfa {
    /// How many states there are before it starts over: 8 MiB of transitions.
    static final int STATES_MAX = 8_192;

    /// How many steps are in all states together before it starts over: 4 MiB.
    private static final int STEPS_MAX = 1 << 20;

    private static final int WATCHED_EACH = 0xff;
    private static final int NONE = -1;
    private static final int WIDTH = 256;
    private static final int UNKNOWN = 0;
    private static final int MATCHED = WIDTH;
    private static final int DEAD = 2 * WIDTH;
    private static final int FIRST = 3 * WIDTH;

    /// The steps that are waited at and what came before them.
    @SuppressWarnings("ArrayRecordComponent") // Compared by its content.
    private record State(int[] steps, boolean lineStart, boolean word) {
        @Override
        public boolean equals(Object other) {
            return other instanceof State state
                    && lineStart == state.lineStart
                    && word == state.word
                    && Arrays.equals(steps, state.steps);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(steps) * 4 + (lineStart ? 2 : 0) + (word ? 1 : 0);
        }
    }

    private final Program program;
    private final boolean anywhere;
    private final Runnable watch;
    private final List<State> states = new ArrayList<>();
    private final Map<State, Integer> numbers = new HashMap<>();
    private final int[] marks;
    private final int[] stack;
    private final int[] closed;
    private int mark;
    private int closedCount;
    private boolean closedMatches;
    private int[] table = new int[FIRST + 16 * WIDTH];
    private int stepsKept;
    private int start;

    /// @param anywhere whether a match may begin behind the start of a line
    /// @param watch is called now and then while new states are made; what it throws ends a search
    LazyDfa(Program program, boolean anywhere, Runnable watch) {
        this.program = program;
        this.watch = watch;
        this.anywhere = anywhere;
        marks = new int[program.size()];
        stack = new int[program.size() + 1];
        closed = new int[program.size()];
        begin();
    }

    private void begin() {
        states.clear();
        numbers.clear();
        stepsKept = 0;
        Arrays.fill(table, UNKNOWN);
        start = number(new State(new int[] {program.start()}, true, false));
    }

    /// Finds a line that matches.
    ///
    /// @param from where a line begins
    /// @param to behind the last byte; a line ends there
    /// @return a place in the first such line, or at its end; -1 when there is none
    int find(byte[] text, int from, int to) {
        int[] known = table;
        int state = start;
        int at = from;
        while (at < to) {
            int next = known[state | (text[at] & 0xff)];
            if (next < FIRST) {
                if (next == UNKNOWN) {
                    next = advance(state, text[at] & 0xff);
                    known = table;
                }
                if (next == MATCHED) {
                    return at;
                }
                if (next == DEAD) {
                    at = lineEnd(text, at, to);
                    next = start;
                }
            }
            state = next;
            at++;
        }
        return at == to && from <= to && ends(state) ? to : NONE;
    }

    private static int lineEnd(byte[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] != '\n') {
            at++;
        }
        return at;
    }

    private boolean ends(int state) {
        int next = table[state | '\n'];
        return (next == UNKNOWN ? advance(state, '\n') : next) == MATCHED;
    }

    /// For a program that reads backwards: where the leftmost match of a line begins.
    ///
    /// @return -1 when there is none
    int leftmost(byte[] text, int from, int to) {
        int found = NONE;
        int state = start;
        for (int at = to; at >= from; at--) {
            int one = at == from ? '\n' : text[at - 1] & 0xff;
            if (matches(state, one)) {
                found = at;
            }
            if (at > from) {
                state = passed(state, one);
            }
        }
        return found;
    }

    private boolean matches(int state, int one) {
        close(states.get(state / WIDTH - 3), one);
        return closedMatches;
    }

    /// The next state although there was a match.
    private int passed(int state, int one) {
        var now = states.get(state / WIDTH - 3);
        close(now, one);
        var after = after(one);
        if (isFull()) {
            begin();
        }
        return number(after);
    }

    private int advance(int state, int one) {
        close(states.get(state / WIDTH - 3), one);
        int next;
        boolean full = false;
        if (closedMatches) {
            next = MATCHED;
        } else if (one == '\n') {
            next = start;
        } else {
            var after = after(one);
            if (after.steps().length == 0) {
                next = DEAD;
            } else {
                full = isFull();
                if (full) {
                    begin();
                }
                next = number(after);
            }
        }
        if (!full) {
            table[state | one] = next;
        }
        return next;
    }

    private boolean isFull() {
        return states.size() >= STATES_MAX || stepsKept > STEPS_MAX;
    }

    private int number(State state) {
        var known = numbers.get(state);
        if (known != null) {
            return known;
        }
        int number = FIRST + states.size() * WIDTH;
        states.add(state);
        numbers.put(state, number);
        stepsKept += state.steps().length;
        if (number + WIDTH > table.length) {
            table = Arrays.copyOf(table, Math.max(number + WIDTH, table.length * 2));
        }
        return number;
    }

    /// Follows everything that takes no byte.
    ///
    /// @param next the byte that follows
    private void close(State state, int next) {
        if ((++mark & WATCHED_EACH) == 0) {
            watch.run();
        }
        closedCount = 0;
        closedMatches = false;
        boolean wordNext = next != '\n' && isWord(next);
        boolean end = next == '\n';
        int waiting = 0;
        for (int step : state.steps()) {
            waiting = push(step, waiting);
            while (waiting > 0) {
                int one = stack[--waiting];
                switch (program.step(one)) {
                    case Program.Take _ -> closed[closedCount++] = one;
                    case Program.Matched _ -> closedMatches = true;
                    case Program.Fork(var ways) -> {
                        for (int way : ways) {
                            waiting = push(way, waiting);
                        }
                    }
                    case Program.Ask(var place, var then) -> {
                        if (holds(place, state, wordNext, end)) {
                            waiting = push(then, waiting);
                        }
                    }
                }
            }
        }
    }

    private int push(int step, int waiting) {
        if (marks[step] == mark) {
            return waiting;
        }
        marks[step] = mark;
        stack[waiting] = step;
        return waiting + 1;
    }

    private static boolean holds(Syntax.Place place, State before, boolean wordNext, boolean end) {
        return switch (place) {
            case LINE_START -> before.lineStart();
            case LINE_END -> end;
            case WORD_BORDER -> before.word() != wordNext;
            case NO_WORD_BORDER -> before.word() == wordNext;
            case WORD_START -> !before.word() && wordNext;
            case WORD_END -> before.word() && !wordNext;
        };
    }

    /// Every character beyond ASCII counts as one of a word.
    private static boolean isWord(int one) {
        return one >= 0x80
                || one == '_'
                || (one >= '0' && one <= '9')
                || (one >= 'a' && one <= 'z')
                || (one >= 'A' && one <= 'Z');
    }

    /// The steps behind a byte, from those that were closed.
    private State after(int one) {
        mark++;
        int count = 0;
        int[] next = new int[16];
        if (anywhere) {
            marks[program.start()] = mark;
            next[count++] = program.start();
        }
        for (int each = 0; each < closedCount; each++) {
            if (program.step(closed[each]) instanceof Program.Take take) {
                for (int way = 0; way < take.from().length; way++) {
                    if (one >= take.from()[way]
                            && one <= take.to()[way]
                            && marks[take.next()[way]] != mark) {
                        marks[take.next()[way]] = mark;
                        if (count == next.length) {
                            next = Arrays.copyOf(next, 2 * count);
                        }
                        next[count++] = take.next()[way];
                    }
                }
            }
        }
        var steps = Arrays.copyOf(next, count);
        Arrays.sort(steps);
        return new State(steps, false, program.asksForWords() && isWord(one));
    }
}
