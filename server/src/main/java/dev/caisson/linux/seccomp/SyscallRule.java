package dev.caisson.linux.seccomp;

import java.util.List;
import java.util.OptionalInt;

/// Rule of the system call policy, one line of it: a call, on a condition, is let through or
/// answered with an error. Of several rules on one call the first whose condition holds counts.
///
/// @param errno the answer; empty lets the call through
/// @param tests all of which must hold
public record SyscallRule(Call call, OptionalInt errno, List<ArgumentCondition> tests) {
    /// Which call it is about.
    public sealed interface Call {
        /// Its name. One that this architecture or this library does not know is skipped: such a
        /// call stays refused.
        record Named(String name) implements Call {}

        /// Its number, for those from 424 up.
        record Numbered(int number) implements Call {}
    }

    static SyscallRule allow(String name, ArgumentCondition... tests) {
        return new SyscallRule(new Call.Named(name), OptionalInt.empty(), List.of(tests));
    }

    static SyscallRule allow(int number) {
        return new SyscallRule(new Call.Numbered(number), OptionalInt.empty(), List.of());
    }

    static SyscallRule answer(String name, int errno, ArgumentCondition... tests) {
        return new SyscallRule(new Call.Named(name), OptionalInt.of(errno), List.of(tests));
    }

    static SyscallRule answer(int number, int errno) {
        return new SyscallRule(new Call.Numbered(number), OptionalInt.of(errno), List.of());
    }
}
