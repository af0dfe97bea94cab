package dev.caisson.environments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Locks that come with the product.
public enum ShippedLock {
    /// Tables, numbers and charts.
    DATA("data", "numpy"),
    /// Tests, coverage, lint and types.
    DEV("dev", "");

    private final String word;
    private final String preload;

    ShippedLock(String word, String preload) {
        this.word = word;
        this.preload = preload;
    }

    public String word() {
        return word;
    }

    public static Optional<ShippedLock> named(String name) {
        return Arrays.stream(values()).filter(each -> each.word.equals(name)).findFirst();
    }

    private List<String> modules() {
        return preload.isEmpty() ? List.of() : List.of(preload);
    }

    public Lock lock() {
        try (var text = ShippedLock.class.getResourceAsStream(word + ".txt")) {
            if (text == null) {
                throw new IllegalStateException("the lock " + word + " is not in this build");
            }
            var lines = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            return new Lock(Optional.of(lines), Optional.empty(), modules());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
