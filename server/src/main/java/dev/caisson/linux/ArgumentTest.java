package dev.caisson.linux;

import java.util.Arrays;
import java.util.List;

/// A condition on one argument of a system call: of its low 32 bits, those in the mask have one of
/// the values.
record ArgumentTest(int argument, int mask, List<Integer> values) {
    ArgumentTest {
        values = List.copyOf(values);
    }

    static ArgumentTest is(int argument, int... values) {
        return masked(argument, -1, values);
    }

    static ArgumentTest masked(int argument, int mask, int... values) {
        return new ArgumentTest(argument, mask, Arrays.stream(values).boxed().toList());
    }
}
