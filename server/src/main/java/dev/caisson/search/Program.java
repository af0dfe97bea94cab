package dev.caisson.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Nondeterministic automaton over the bytes of a line, forwards or backwards: steps that take a
/// byte, fork, ask for a place, or say that the expression has matched.
final class Program {
    /// More steps are refused, see [Expression].
    static final int STEPS_MAX = 20_000;

    /// Repetitions of nothing make no steps.
    private static final int VISITS_MAX = 10 * STEPS_MAX;

    private static final int[] LENGTHS = {0x7f, 0x7ff, 0xffff, CodePoints.LAST};
    private static final int SURROGATE_FIRST = 0xd800;
    private static final int SURROGATE_LAST = 0xdfff;

    /// A step of the automaton.
    sealed interface Step {}

    /// Takes a byte of a range to the step of the same place; ranges may overlap.
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Take(int[] from, int[] to, int[] next) implements Step {}

    @SuppressWarnings("ArrayRecordComponent") // Filled while the program is made.
    record Fork(int[] next) implements Step {}

    record Ask(Syntax.Place place, int next) implements Step {}

    record Matched() implements Step {}

    /// There is more of it than [#STEPS_MAX].
    static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLarge() {
            super("too large", null, false, false);
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private final boolean backwards;
    private final int start;
    private boolean asksForWords;
    private int visits;

    /// @throws TooLarge when it has too many steps
    Program(Syntax syntax, boolean backwards) {
        this.backwards = backwards;
        start = add(syntax, add(new Matched()));
    }

    int start() {
        return start;
    }

    int size() {
        return steps.size();
    }

    Step step(int number) {
        return steps.get(number);
    }

    boolean asksForWords() {
        return asksForWords;
    }

    private int add(Step step) {
        if (steps.size() >= STEPS_MAX) {
            throw new TooLarge();
        }
        steps.add(step);
        return steps.size() - 1;
    }

    /// @return the step with which a part begins that goes on at `next`
    private int add(Syntax part, int next) {
        if (++visits > VISITS_MAX) {
            throw new TooLarge();
        }
        return switch (part) {
            case Syntax.OneOf(var set) -> addSet(set, next);
            case Syntax.Sequence(var parts) -> addAll(backwards ? parts : parts.reversed(), next);
            case Syntax.Either(var parts) -> addEither(parts, next);
            case Syntax.Repeat repeat -> addRepeat(repeat, next);
            case Syntax.At(var place) -> {
                asksForWords |= place != Syntax.Place.LINE_START && place != Syntax.Place.LINE_END;
                yield add(new Ask(backwards ? place.reversed() : place, next));
            }
        };
    }

    private int addAll(List<Syntax> fromBehind, int next) {
        int begin = next;
        for (var part : fromBehind) {
            begin = add(part, begin);
        }
        return begin;
    }

    private int addEither(List<Syntax> parts, int next) {
        var begins = new int[parts.size()];
        for (int each = 0; each < begins.length; each++) {
            begins[each] = add(parts.get(each), next);
        }
        return add(new Fork(begins));
    }

    private int addRepeat(Syntax.Repeat repeat, int next) {
        int begin = next;
        if (repeat.max() == Syntax.Repeat.ENDLESS) {
            var again = new Fork(new int[] {0, next});
            begin = add(again);
            again.next()[0] = add(repeat.part(), begin);
        } else {
            for (int often = repeat.min(); often < repeat.max(); often++) {
                begin = add(new Fork(new int[] {add(repeat.part(), begin), next}));
            }
        }
        for (int often = 0; often < repeat.min(); often++) {
            begin = add(repeat.part(), begin);
        }
        return begin;
    }

    /// The bytes of a set's characters in UTF-8, as a tree: what begins alike is one step.
    private int addSet(CodePoints set, int next) {
        var root = new Branch();
        for (int range = 0; range < set.ranges(); range++) {
            addRange(root, set.from(range), set.to(range));
        }
        return addBranch(root, next);
    }

    private static final class Branch {
        final List<int[]> ranges = new ArrayList<>();
        final List<Optional<Branch>> below = new ArrayList<>();

        Branch at(int from, int to) {
            for (int each = ranges.size() - 1; each >= 0; each--) {
                if (ranges.get(each)[0] == from
                        && ranges.get(each)[1] == to
                        && below.get(each).isPresent()) {
                    return below.get(each).get();
                }
            }
            var branch = new Branch();
            ranges.add(new int[] {from, to});
            below.add(Optional.of(branch));
            return branch;
        }

        void end(int from, int to) {
            ranges.add(new int[] {from, to});
            below.add(Optional.empty());
        }
    }

    private int addBranch(Branch branch, int next) {
        int count = branch.ranges.size();
        var from = new int[count];
        var to = new int[count];
        var targets = new int[count];
        for (int each = 0; each < count; each++) {
            from[each] = branch.ranges.get(each)[0];
            to[each] = branch.ranges.get(each)[1];
            var below = branch.below.get(each);
            targets[each] = below.isPresent() ? addBranch(below.get(), next) : next;
        }
        return add(new Take(from, to, targets));
    }

    /// Splits a range until the bytes of all its characters are a sequence of ranges.
    private void addRange(Branch root, int from, int to) {
        if (from < SURROGATE_FIRST && to >= SURROGATE_FIRST) {
            addRange(root, from, SURROGATE_FIRST - 1);
            addRange(root, SURROGATE_FIRST, to);
            return;
        }
        if (from >= SURROGATE_FIRST && from <= SURROGATE_LAST) {
            if (to > SURROGATE_LAST) {
                addRange(root, SURROGATE_LAST + 1, to);
            }
            return;
        }
        for (int length : LENGTHS) {
            if (from <= length && to > length) {
                addRange(root, from, length);
                addRange(root, length + 1, to);
                return;
            }
        }
        if (to > LENGTHS[0]) {
            for (int bits = 6; bits <= 18; bits += 6) {
                int mask = (1 << bits) - 1;
                if ((from & ~mask) == (to & ~mask)) {
                    break;
                }
                if ((from & mask) != 0) {
                    addRange(root, from, from | mask);
                    addRange(root, (from | mask) + 1, to);
                    return;
                }
                if ((to & mask) != mask) {
                    addRange(root, from, (to & ~mask) - 1);
                    addRange(root, to & ~mask, to);
                    return;
                }
            }
        }
        addBytes(root, bytes(from), bytes(to));
    }

    private void addBytes(Branch root, int[] from, int[] to) {
        int count = from.length;
        var at = root;
        for (int each = 0; each < count - 1; each++) {
            int place = backwards ? count - 1 - each : each;
            at = at.at(from[place], to[place]);
        }
        int last = backwards ? 0 : count - 1;
        at.end(from[last], to[last]);
    }

    private static int[] bytes(int point) {
        var all = new int[4];
        if (point <= LENGTHS[0]) {
            return new int[] {point};
        }
        int count = point <= LENGTHS[1] ? 2 : point <= LENGTHS[2] ? 3 : 4;
        int rest = point;
        for (int each = count - 1; each > 0; each--) {
            all[each] = 0x80 | (rest & 0x3f);
            rest >>= 6;
        }
        all[0] = ((0xf00 >> count) & 0xff) | rest;
        return Arrays.copyOf(all, count);
    }
}
