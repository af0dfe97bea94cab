package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/// The library that knows the numbers of system calls on this architecture, loaded when it is asked
/// for: a host without it lacks a layer, and that is all.
final class LibSeccomp implements AutoCloseable {
    private static final String LIBRARY = "libseccomp.so.2";

    private final Arena arena;
    private final SymbolLookup library;
    private final MethodHandle resolve;

    private LibSeccomp(Arena arena, SymbolLookup library) {
        this.arena = arena;
        this.library = library;
        this.resolve = link("seccomp_syscall_resolve_name", ADDRESS);
    }

    /// @return empty when the library is not installed
    static Optional<LibSeccomp> open() {
        var arena = Arena.ofConfined();
        return find(arena).map(library -> new LibSeccomp(arena, library));
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

    /// This machine's own, as the kernel numbers them.
    int architecture() {
        var handle = link("seccomp_arch_native");
        return call(() -> (int) handle.invokeExact());
    }

    /// A call's number; negative when it is not known here.
    int number(String name) {
        var text = arena.allocateFrom(name);
        return call(() -> (int) resolve.invokeExact(text));
    }

    @Override
    public void close() {
        arena.close();
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
