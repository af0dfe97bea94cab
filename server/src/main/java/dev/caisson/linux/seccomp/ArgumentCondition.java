package dev.caisson.linux.seccomp;

import java.util.Arrays;
import java.util.List;

/// Condition on one argument of a system call: of its low 32 bits, those in the mask have one of
/// the values.
record ArgumentCondition(int argument, int mask, List<Integer> values) {
    ArgumentCondition {
        values = List.copyOf(values);
    }

    static ArgumentCondition is(int argument, int... values) {
        return masked(argument, -1, values);
    }

    static ArgumentCondition masked(int argument, int mask, int... values) {
        return new ArgumentCondition(argument, mask, Arrays.stream(values).boxed().toList());
    }
}
