package dev.caisson.acceptance.judge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// A program run to its end, with its whole output and a limit of time.
public final class Program {
    /// @param code the exit code
    public record Ended(List<String> command, int code, String out, String err) {
        public Ended expect(int wanted) {
            if (code != wanted) {
                throw new AssertionError(
                        "%s ended with %d instead of %d%n%s%n%s"
                                .formatted(String.join(" ", command), code, wanted, out, err));
            }
            return this;
        }
    }

    private Program() {}

    public static Ended run(
            List<String> command, Path directory, Map<String, String> env, Duration limit) {
        try {
            var builder = new ProcessBuilder(command).directory(directory.toFile());
            builder.environment().putAll(env);
            var process = builder.start();
            process.getOutputStream().close();
            var out = drain(process.getInputStream());
            var err = drain(process.getErrorStream());
            var ended = process.waitFor(limit);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            var result = new Ended(command, process.exitValue(), out.join(), err.join());
            if (!ended) {
                throw new AssertionError("not done after %s: %s".formatted(limit, result));
            }
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<String> drain(InputStream stream) {
        var whole = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        whole.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        whole.completeExceptionally(e);
                    }
                });
        return whole;
    }
}
