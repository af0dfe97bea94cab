package dev.caisson.linux.seccomp;

import dev.caisson.linux.calls.CFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;

/// Library libseccomp, which knows the numbers of system calls on this architecture, loaded when it
/// is asked for: a host without it lacks a layer, and that is all.
public final class LibSeccomp implements AutoCloseable {
    private static final String LIBRARY = "libseccomp.so.2";

    private final Arena arena;
    private final SymbolLookup library;
    private final CFunction resolve;
    private final MemorySegment errno;

    private LibSeccomp(Arena arena, SymbolLookup library) {
        this.arena = arena;
        this.library = library;
        this.resolve = link("seccomp_syscall_resolve_name");
        this.errno = arena.allocate(Linker.Option.captureStateLayout());
    }

    /// @return empty when the library is not installed
    public static Optional<LibSeccomp> open() {
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

    private CFunction link(String name) {
        return CFunction.of(library.findOrThrow(name));
    }

    /// This machine's own, as the kernel numbers them.
    public int architecture() {
        return (int) link("seccomp_arch_native").call(errno, 0);
    }

    /// A call's number; negative when it is not known here.
    public int number(String name) {
        return (int) resolve.call(errno, arena.allocateFrom(name).address());
    }

    @Override
    public void close() {
        arena.close();
    }
}
