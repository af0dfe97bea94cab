package dev.caisson.redact;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ThreadLocalRandom;

/// One automaton for many values, after Aho and Corasick. Its state is the longest beginning of any
/// value that the text ends with right now. Time is linear in the text, however many values there
/// are, and memory is linear in their length together.
///
/// The states are numbered; whoever reads a text keeps the number. Transitions of the tree are in
/// one hash table with open addressing, keyed by state and unit.
final class AhoCorasick {
    static final int START = 0;

    private static final int NONE = -1;
    private static final long FREE = -1;

    private final long[] keys;
    private final int[] targets;
    private final int mask;
    private final int shift;

    /// Not to be guessed, so that nobody chooses values whose transitions collide.
    private final long multiplier = ThreadLocalRandom.current().nextLong() | 1;

    /// Of each state: the state of the next shorter beginning, the length of the longest beginning
    /// that can still become a value, and the length of the longest value that ends with it.
    private final int[] fallback;

    private final int[] unsettled;
    private final int[] complete;
    private int states = 1;

    /// @param values none of them empty
    AhoCorasick(Collection<String> values) {
        var most = 1 + values.stream().mapToInt(String::length).sum();
        var capacity = Integer.highestOneBit(Math.max(4, most)) * 4;
        keys = new long[capacity];
        targets = new int[capacity];
        mask = capacity - 1;
        shift = Long.numberOfLeadingZeros(mask);
        Arrays.fill(keys, FREE);
        fallback = new int[most];
        unsettled = new int[most];
        complete = new int[most];
        values.forEach(this::plant);
        connect();
    }

    private void plant(String value) {
        var state = START;
        for (var at = 0; at < value.length(); at++) {
            var place = place(state, value.charAt(at));
            if (keys[place] == FREE) {
                keys[place] = key(state, value.charAt(at));
                targets[place] = states;
                unsettled[states] = at + 1;
                states++;
            }
            state = targets[place];
        }
        complete[state] = value.length();
    }

    /// State by state, the shallow ones first, so that what a state falls back to is known.
    private void connect() {
        var edges = edges();
        var ready = new ArrayDeque<Integer>();
        ready.add(START);
        while (!ready.isEmpty()) {
            var state = ready.remove();
            for (var edge = edges.first[state]; edge != NONE; edge = edges.next[edge]) {
                var child = targets[edge];
                var unit = (char) keys[edge];
                fallback[child] = state == START ? START : next(fallback[state], unit);
                complete[child] = Math.max(complete[child], complete[fallback[child]]);
                if (edges.first[child] == NONE) {
                    unsettled[child] = unsettled[fallback[child]];
                }
                ready.add(child);
            }
        }
    }

    /// The places in the table of the transitions of each state, as linked lists.
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Edges(int[] first, int[] next) {}

    private Edges edges() {
        var edges = new Edges(new int[states], new int[keys.length]);
        Arrays.fill(edges.first, NONE);
        for (var place = 0; place < keys.length; place++) {
            if (keys[place] != FREE) {
                var state = (int) (keys[place] >>> Character.SIZE);
                edges.next[place] = edges.first[state];
                edges.first[state] = place;
            }
        }
        return edges;
    }

    /// The state after one more unit.
    int next(int state, char unit) {
        var from = state;
        while (true) {
            var place = place(from, unit);
            if (keys[place] != FREE) {
                return targets[place];
            }
            if (from == START) {
                return START;
            }
            from = fallback[from];
        }
    }

    /// How many units at the end of the text may be the beginning of a value that is not complete.
    int unsettled(int state) {
        return unsettled[state];
    }

    /// The length of the longest value that the text ends with; 0 for none.
    int complete(int state) {
        return complete[state];
    }

    private static long key(int state, char unit) {
        return ((long) state << Character.SIZE) | unit;
    }

    /// Where this transition is in the table, or would be.
    private int place(int state, char unit) {
        var key = key(state, unit);
        var place = (int) ((key * multiplier) >>> shift);
        while (keys[place] != FREE && keys[place] != key) {
            place = (place + 1) & mask;
        }
        return place;
    }
}
