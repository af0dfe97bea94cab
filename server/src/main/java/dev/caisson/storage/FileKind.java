package dev.caisson.storage;

import dev.caisson.linux.Node;
import java.util.Locale;

/// Kind of a file, for rooms that know nothing of the kernel.
public enum FileKind {
    FILE,
    DIRECTORY,
    LINK,
    OTHER;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static FileKind of(Node node) {
        return switch (node.kind()) {
            case FILE -> FILE;
            case DIRECTORY -> DIRECTORY;
            case LINK -> LINK;
            case OTHER -> OTHER;
        };
    }
}
