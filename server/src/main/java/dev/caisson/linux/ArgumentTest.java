package dev.caisson.linux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A condition on one argument of a system call: of its low 32 bits, those in the mask have the
/// value.
record ArgumentTest(int argument, int mask, int value) {
    private static final int BITS = 32;

    static ArgumentTest is(int argument, int value) {
        return new ArgumentTest(argument, -1, value);
    }

    /// The opposite of a list of values, as tests of which exactly one holds for every other value.
    /// A filter has no "not" that looks at 32 bits only, so the space of values is cut in halves,
    /// and every half without one of the values in it becomes a test.
    static List<ArgumentTest> isNot(int argument, int... values) {
        var tests = new ArrayList<ArgumentTest>();
        split(argument, 0, 0, values, tests);
        return tests;
    }

    /// @param bits how many of the highest bits are settled
    /// @param prefix what they are
    private static void split(
            int argument, int bits, int prefix, int[] values, List<ArgumentTest> tests) {
        int mask = bits == 0 ? 0 : -1 << (BITS - bits);
        int[] inside = Arrays.stream(values).filter(value -> (value & mask) == prefix).toArray();
        if (inside.length == 0) {
            tests.add(new ArgumentTest(argument, mask, prefix));
        } else if (bits < BITS) {
            split(argument, bits + 1, prefix, inside, tests);
            split(argument, bits + 1, prefix | 1 << (BITS - 1 - bits), inside, tests);
        }
    }
}
