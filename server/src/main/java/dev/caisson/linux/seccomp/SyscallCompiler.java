package dev.caisson.linux.seccomp;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// Compiler of rules into a filter program: a check of the architecture, a binary search for the
/// call's number, and for a call with conditions its rules one after the other. A call without a
/// rule, and one of whose rules none holds, gets the fallback.
///
/// What the program looks at: number (4 bytes), architecture (4), instruction pointer (8), six
/// arguments (8 each).
public final class SyscallCompiler {
    private static final int NUMBER = 0;
    private static final int ARCHITECTURE = 4;
    private static final int ARGUMENTS = 16;
    private static final int ARGUMENT_BYTES = 8;
    private static final int LOW_HALF = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0 : 4;

    private static final int ALLOW = 0x7fff0000;
    private static final int ERRNO = 0x00050000;

    private final BpfAssembler assembler = new BpfAssembler();
    private final int fallback;

    /// Calls from a number up to the next range's, which are all treated alike.
    ///
    /// @param plain whether it is the same for all arguments
    /// @param target the action, or the place where arguments are looked at
    private record Range(int from, boolean plain, int target) {}

    private SyscallCompiler(int errno) {
        this.fallback = ERRNO | errno;
    }

    /// @param architecture as the kernel numbers them
    /// @param rules by the number of the call
    /// @param errno the answer to everything else
    public static byte[] compile(
            int architecture, SortedMap<Integer, List<SyscallRule>> rules, int errno) {
        return new SyscallCompiler(errno).compile(architecture, rules);
    }

    private byte[] compile(int architecture, SortedMap<Integer, List<SyscallRule>> rules) {
        var ranges = ranges(rules);
        search(ranges);
        int known = assembler.load(NUMBER);
        assembler.ifEqual(architecture, known, assembler.answer(fallback));
        assembler.load(ARCHITECTURE);
        return assembler.program();
    }

    private List<Range> ranges(SortedMap<Integer, List<SyscallRule>> rules) {
        var ranges = new ArrayList<Range>();
        int next = 0;
        for (var entry : rules.entrySet()) {
            if (entry.getKey() > next) {
                append(ranges, new Range(next, true, fallback));
            }
            append(ranges, range(entry.getKey(), entry.getValue()));
            next = entry.getKey() + 1;
        }
        append(ranges, new Range(next, true, fallback));
        return ranges;
    }

    /// Neighbours that are treated alike are one range.
    private static void append(List<Range> ranges, Range range) {
        if (ranges.isEmpty() || !range.plain() || !alike(ranges.getLast(), range)) {
            ranges.add(range);
        }
    }

    private static boolean alike(Range one, Range other) {
        return one.plain() && one.target() == other.target();
    }

    private Range range(int number, List<SyscallRule> rules) {
        return rules.getFirst().tests().isEmpty()
                ? new Range(number, true, action(rules.getFirst()))
                : new Range(number, false, conditions(rules));
    }

    private static int action(SyscallRule rule) {
        return rule.errno().isPresent() ? ERRNO | rule.errno().getAsInt() : ALLOW;
    }

    /// The last rule is written first.
    private int conditions(List<SyscallRule> rules) {
        int otherwise = assembler.answer(fallback);
        for (var rule : rules.reversed()) {
            int place = assembler.answer(action(rule));
            for (var test : rule.tests().reversed()) {
                place = test(test, place, otherwise);
            }
            otherwise = place;
        }
        return otherwise;
    }

    private int test(ArgumentCondition test, int then, int otherwise) {
        int place = otherwise;
        for (var value : test.values().reversed()) {
            place = assembler.ifEqual(value, then, place);
        }
        if (test.mask() != -1) {
            assembler.and(test.mask());
        }
        return assembler.load(ARGUMENTS + test.argument() * ARGUMENT_BYTES + LOW_HALF);
    }

    private int search(List<Range> ranges) {
        if (ranges.size() == 1) {
            var only = ranges.getFirst();
            return only.plain() ? assembler.answer(only.target()) : only.target();
        }
        int middle = ranges.size() / 2;
        int above = search(ranges.subList(middle, ranges.size()));
        int below = search(ranges.subList(0, middle));
        return assembler.ifAtLeast(ranges.get(middle).from(), above, below);
    }
}
