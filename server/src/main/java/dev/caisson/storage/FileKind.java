package dev.caisson.storage;

import dev.caisson.linux.Node;
import java.util.Locale;

/// What a name stands for.
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
