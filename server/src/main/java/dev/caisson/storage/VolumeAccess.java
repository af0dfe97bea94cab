package dev.caisson.storage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Access right to the files of a volume.
public enum VolumeAccess {
    READ,
    /// Read, change and delete.
    WRITE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<VolumeAccess> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    public boolean covers(VolumeAccess asked) {
        return compareTo(asked) >= 0;
    }
}
