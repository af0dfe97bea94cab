package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/// The library that turns rules into a filter program, loaded when it is asked for: a host without
/// it lacks a layer, and that is all.
final class LibSeccomp implements AutoCloseable {
    private static final String LIBRARY = "libseccomp.so.2";
    private static final int TEST_BYTES = 24;
    private static final int MASKED_EQUAL = 7;

    private final Arena arena;
    private final SymbolLookup library;
    private final MethodHandle ruleAdd;
    private final MethodHandle resolve;
    private final MemorySegment filter;

    private LibSeccomp(Arena arena, SymbolLookup library, int fallback) {
        this.arena = arena;
        this.library = library;
        this.ruleAdd =
                link("seccomp_rule_add_array", ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
        this.resolve = link("seccomp_syscall_resolve_name", ADDRESS);
        this.filter = init(fallback);
    }

    /// An empty filter for this machine's own architecture.
    ///
    /// @param fallback the action for every call without a rule
    /// @return empty when the library is not installed
    static Optional<LibSeccomp> open(int fallback) {
        var arena = Arena.ofConfined();
        return find(arena).map(library -> new LibSeccomp(arena, library, fallback));
    }

    @SuppressWarnings("restricted") // The library is the system's own.
    private static Optional<SymbolLookup> find(Arena arena) {
        try {
            return Optional.of(SymbolLookup.libraryLookup(LIBRARY, arena));
        } catch (IllegalArgumentException notInstalled) {
            arena.close();
            return Optional.empty();
        }
    }

    @SuppressWarnings("restricted") // Calling the library is what this class is for.
    private MethodHandle link(String name, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    @SuppressWarnings("restricted") // As above; this one returns a pointer.
    private MemorySegment init(int fallback) {
        var handle =
                Linker.nativeLinker()
                        .downcallHandle(
                                library.findOrThrow("seccomp_init"),
                                FunctionDescriptor.of(ADDRESS, JAVA_INT));
        return call(() -> (MemorySegment) handle.invokeExact(fallback));
    }

    void attribute(int attribute, int value) {
        var handle = link("seccomp_attr_set", ADDRESS, JAVA_INT, JAVA_INT);
        check("seccomp_attr_set", call(() -> (int) handle.invokeExact(filter, attribute, value)));
    }

    /// A call's number; negative when it is not known here.
    int number(String name) {
        var text = arena.allocateFrom(name);
        return call(() -> (int) resolve.invokeExact(text));
    }

    void rule(int action, int number, List<ArgumentTest> tests) {
        var memory = arena.allocate(Math.max(1, tests.size()) * (long) TEST_BYTES, 8);
        for (int at = 0; at < tests.size(); at++) {
            write(memory.asSlice((long) at * TEST_BYTES, TEST_BYTES), tests.get(at));
        }
        int count = tests.size();
        int result = call(() -> (int) ruleAdd.invokeExact(filter, action, number, count, memory));
        check("seccomp_rule_add on call " + number, result);
    }

    private static void write(MemorySegment memory, ArgumentTest test) {
        memory.set(JAVA_INT, 0, test.argument());
        memory.set(JAVA_INT, 4, MASKED_EQUAL);
        memory.set(JAVA_LONG, 8, Integer.toUnsignedLong(test.mask()));
        memory.set(JAVA_LONG, 16, Integer.toUnsignedLong(test.value()));
    }

    void export(int descriptor) {
        var handle = link("seccomp_export_bpf", ADDRESS, JAVA_INT);
        check("seccomp_export_bpf", call(() -> (int) handle.invokeExact(filter, descriptor)));
    }

    @Override
    @SuppressWarnings("restricted") // As above; this one returns nothing.
    public void close() {
        var handle =
                Linker.nativeLinker()
                        .downcallHandle(
                                library.findOrThrow("seccomp_release"),
                                FunctionDescriptor.ofVoid(ADDRESS));
        call(() -> {
            handle.invokeExact(filter);
            return true;
        });
        arena.close();
    }

    private static void check(String call, int result) {
        if (result < 0) {
            throw new KernelException(call, -result);
        }
    }

    private interface Linked<T> {
        T invoke() throws Throwable;
    }

    private static <T> T call(Linked<T> function) {
        try {
            return function.invoke();
        } catch (Throwable impossible) {
            // A handle throws nothing of its own once it is linked with the right types.
            throw new IllegalStateException("a linked function threw", impossible);
        }
    }
}
