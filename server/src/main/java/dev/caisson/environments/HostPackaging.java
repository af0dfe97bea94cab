package dev.caisson.environments;

import dev.caisson.egress.HostCertificates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Configuration of pip and npm on this machine, in their own words: files and variables of the
/// operator's, which they read themselves.
///
/// @param pip values by the last part of their names, such as `index-url`
/// @param npmRegistry where npm fetches packages
/// @param certificates a file with the certificates to trust
record HostPackaging(
        Map<String, String> pip, Optional<String> npmRegistry, Optional<Path> certificates) {
    private static final Logger LOG = LoggerFactory.getLogger(HostPackaging.class);
    private static final int ANSWER_BYTES_MAX = 64 << 10;
    private static final int SECONDS_MAX = 20;
    private static final Pattern PIP_LINE =
            Pattern.compile("(?:global|download|install|:env:)\\.([a-z-]{1,40})='(.*)'");

    HostPackaging {
        pip = Map.copyOf(pip);
    }

    /// @param python the interpreter of this machine
    /// @param npm whether npm is asked too
    static HostPackaging read(String python, boolean npm) {
        var values = new HashMap<String, String>();
        // Variables come last in this list, and win.
        for (var line : lines(List.of(python, "-m", "pip", "config", "list"))) {
            var matcher = PIP_LINE.matcher(line.strip());
            if (matcher.matches()) {
                values.put(matcher.group(1), matcher.group(2).replace("\\n", " "));
            }
        }
        values.putAll(ofProcess());
        var registry =
                npm
                        ? lines(List.of("npm", "config", "get", "registry")).stream()
                                .map(String::strip)
                                .filter(line -> line.startsWith("http"))
                                .findFirst()
                        : Optional.<String>empty();
        return new HostPackaging(values, registry, certificates(values));
    }

    private static Map<String, String> ofProcess() {
        var values = new HashMap<String, String>();
        for (var name : List.of("index-url", "extra-index-url", "find-links", "cert")) {
            var variable = System.getenv("PIP_" + name.replace('-', '_').toUpperCase(Locale.ROOT));
            if (variable != null && !variable.isBlank()) {
                values.put(name, variable);
            }
        }
        return values;
    }

    private static Optional<Path> certificates(Map<String, String> pip) {
        return Optional.ofNullable(pip.get("cert"))
                .map(Path::of)
                .filter(Files::isReadable)
                .or(HostCertificates::file);
    }

    List<String> words(String name) {
        var value = pip.getOrDefault(name, "").strip();
        return value.isEmpty() ? List.of() : List.of(value.split("\\s+"));
    }

    /// What a program of this machine prints; nothing when it cannot.
    private static List<String> lines(List<String> command) {
        try {
            var process =
                    new ProcessBuilder(command)
                            .directory(Path.of("/").toFile())
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            var timer =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                                        process.destroyForcibly();
                                    }
                                } catch (InterruptedException done) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            try (var answer = process.getInputStream()) {
                var text = new String(answer.readNBytes(ANSWER_BYTES_MAX), StandardCharsets.UTF_8);
                return text.lines().toList();
            } finally {
                process.destroy();
                timer.interrupt();
            }
        } catch (IOException none) {
            LOG.debug("{} cannot be asked: {}", command.getFirst(), none.getMessage());
            return List.of();
        }
    }
}
