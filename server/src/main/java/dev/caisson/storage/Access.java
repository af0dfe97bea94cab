package dev.caisson.storage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What somebody may do with the files of a volume.
public enum Access {
    READ,
    /// Read, change and delete.
    WRITE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Access> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    boolean covers(Access asked) {
        return compareTo(asked) >= 0;
    }
}
