package dev.caisson.acceptance.product;

import dev.caisson.acceptance.JavaProgram;
import dev.caisson.acceptance.judge.Repository;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `caisson serve` in a process of its own, on a free port, with the launcher's flags.
public final class Product implements AutoCloseable {
    /// Option of a server that makes packages ready, as every server does unless it is told not to.
    public static final String WITH_PACKAGES = "environments.bake=true";

    private static final Duration STOP_TIME = Duration.ofSeconds(30);
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/mcp");
    private static final Pattern KEY = Pattern.compile("shown once: (\\S+)");
    private static final Pattern CLIENT_KEY = Pattern.compile("Authorization: Bearer ([^\"]+)");

    private final Process process;
    private final Path data;
    private final Path log;
    private final int port;
    private final String key;
    private final String clientKey;

    private Product(Process process, Path data, Path log, int port, String key, String clientKey) {
        this.process = process;
        this.data = data;
        this.log = log;
        this.port = port;
        this.key = key;
        this.clientKey = clientKey;
    }

    /// On an empty data directory, so that it makes a key.
    public static Product start(Path data, String... options) throws IOException {
        return start(data, Optional.empty(), options);
    }

    /// The same as a user starts it, by the launcher, with what that has recorded.
    public static Product launched(Path data, String... options) throws IOException {
        return launched(Stream.of(launcher()), data, Optional.empty(), options);
    }

    /// The same on the data directory of another, with the other's key.
    public static Product launchedAgain(Path data, Product other, String... options)
            throws IOException {
        return launched(Stream.of(launcher()), data, Optional.of(other.key), options);
    }

    /// The same without the recorded start-up cache.
    public static Product launchedUncached(Path data, String... options) throws IOException {
        var words = Stream.of("/usr/bin/env", "CAISSON_JVM_OPTIONS=-XX:AOTMode=off", launcher());
        return launched(words, data, Optional.empty(), options);
    }

    private static Product launched(
            Stream<String> words, Path data, Optional<String> key, String... options)
            throws IOException {
        return start(Stream.concat(words, arguments(data, options)).toList(), data, key);
    }

    private static String launcher() {
        return Repository.root().resolve("caisson").toString();
    }

    /// On the data directory of another, with the other's key.
    public static Product again(Path data, Product other, String... options) throws IOException {
        return start(data, Optional.of(other.key), options);
    }

    private static Product start(Path data, Optional<String> key, String... options)
            throws IOException {
        var program =
                JavaProgram.command(Repository.productClassPath(), "dev.caisson.Main", flags())
                        .stream();
        return start(Stream.concat(program, arguments(data, options)).toList(), data, key);
    }

    private static Product start(List<String> command, Path data, Optional<String> key)
            throws IOException {
        var builder = new ProcessBuilder(command);
        var log = data.resolve("log");
        builder.redirectError(log.toFile());
        var process = builder.start();
        var out = process.inputReader(StandardCharsets.UTF_8);
        int port = Integer.parseInt(awaited(out, ADDRESS));
        var secret = key.isPresent() ? key.get() : awaited(out, KEY);
        var client = awaited(out, CLIENT_KEY);
        return new Product(process, data, log, port, secret, client);
    }

    private static Stream<String> arguments(Path data, String... options) {
        var own =
                Stream.of(
                        "serve", "--config", "/dev/null", "--port", "0", "--data", data.toString());
        var all = Stream.concat(own, Stream.of(options));
        return List.of(options).contains(WITH_PACKAGES)
                ? all
                : Stream.concat(all, Stream.of("--set", "environments.bake=false"));
    }

    private static String[] flags() {
        return new String[] {
            "-Xmx256m",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dcaisson.guests=" + guests()
        };
    }

    static String guests() {
        return Repository.root().resolve("server/target/guests").toString();
    }

    private static String awaited(BufferedReader out, Pattern wanted) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            var found = wanted.matcher(line);
            if (found.find()) {
                return found.group(1);
            }
        }
        throw new IOException("the server ended before it was ready");
    }

    /// Where everything is that it keeps.
    public Path data() {
        return data;
    }

    public int port() {
        return port;
    }

    /// May do everything.
    public String key() {
        return key;
    }

    /// The one in the configuration for clients; a placeholder when it was made before.
    String clientKey() {
        return clientKey;
    }

    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Nothing of it can tidy up.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /// As a service manager would.
    ///
    /// @return the exit code
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_TIME.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the server did not stop within " + STOP_TIME);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        showFaults();
    }

    /// Its log goes with its directory; what it blames itself for is worth more than that.
    private void showFaults() {
        try (var lines = Files.lines(log)) {
            lines.filter(line -> line.contains("\"level\":\"error\"")).forEach(System.out::println);
        } catch (IOException | UncheckedIOException gone) {
            System.out.println("the server's log cannot be read: " + gone.getMessage());
        }
    }
}
