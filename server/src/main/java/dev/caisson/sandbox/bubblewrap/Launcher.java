package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Launcher of bubblewrap processes: starts every sandbox from one thread that lives as long as the
/// server. A sandbox dies with its parent, and to the kernel that is the thread which started it.
public final class Launcher implements AutoCloseable {
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("launcher").daemon().factory());

    /// Starts something else from the same thread.
    public <T> T start(Supplier<T> starting) {
        try {
            return CompletableFuture.supplyAsync(starting, thread).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof KernelException kernel) {
                throw kernel;
            }
            throw failed;
        }
    }

    /// Waits for the start even when interrupted: it takes a few milliseconds, and a process nobody
    /// knows of is worse.
    Process start(List<String> command) throws IOException {
        try {
            return CompletableFuture.supplyAsync(() -> begin(command), thread).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof UncheckedIOException io) {
                throw new IOException(io.getMessage(), io);
            }
            throw failed;
        }
    }

    private static Process begin(List<String> command) {
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.directory(new java.io.File("/"));
        try {
            return builder.start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// What still runs dies with the thread.
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
