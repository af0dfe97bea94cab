package dev.caisson.linux.calls;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/// Function of a C library that takes numbers and addresses, and returns one.
///
/// All are linked with one shape, seven numbers of 64 bits: the calling conventions of Linux put
/// numbers and addresses alike into the same places, and a function does not look at those it does
/// not know. Linking another shape takes longer than anything else at a start. A function that
/// returns an `int` leaves the upper half of the result undefined: cast it.
///
/// What an address points to must stay in memory until the call returns.
public record CFunction(MethodHandle handle) {
    private static final int NUMBERS = 7;

    private static final MethodHandle SHAPE = shape();

    @SuppressWarnings("restricted") // Calling libraries is what this class is for.
    private static MethodHandle shape() {
        return Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG,
                                Collections.nCopies(NUMBERS, JAVA_LONG)
                                        .toArray(MemoryLayout[]::new)),
                        Linker.Option.captureCallState("errno"));
    }

    public static CFunction of(MemorySegment symbol) {
        return new CFunction(SHAPE.bindTo(symbol));
    }

    /// @param errno where it is captured
    public long call(MemorySegment errno, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) handle.invokeExact(errno, a, b, c, d, e, f, g);
        } catch (Throwable impossible) {
            // A handle throws nothing of its own once it is linked with the right types.
            throw new IllegalStateException("a linked function threw", impossible);
        }
    }

    public long call(MemorySegment errno, long a, long b, long c, long d, long e, long f) {
        return call(errno, a, b, c, d, e, f, 0);
    }

    public long call(MemorySegment errno, long a, long b, long c, long d, long e) {
        return call(errno, a, b, c, d, e, 0, 0);
    }

    public long call(MemorySegment errno, long a, long b, long c, long d) {
        return call(errno, a, b, c, d, 0, 0, 0);
    }

    public long call(MemorySegment errno, long a, long b, long c) {
        return call(errno, a, b, c, 0, 0, 0, 0);
    }

    public long call(MemorySegment errno, long a, long b) {
        return call(errno, a, b, 0, 0, 0, 0, 0);
    }

    public long call(MemorySegment errno, long a) {
        return call(errno, a, 0, 0, 0, 0, 0, 0);
    }
}
