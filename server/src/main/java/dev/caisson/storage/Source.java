package dev.caisson.storage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Kind of owner of files: a thread or a volume.
public enum Source {
    THREAD,
    VOLUME;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Source> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
