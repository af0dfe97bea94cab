package dev.caisson.linux;

import java.util.Optional;
import java.util.Set;

/// Attachment of a file system to a sandbox: where and how it appears inside.
///
/// @param target an absolute path that exists inside; symbolic links are not followed
/// @param idMap whose files they are, seen through the mount; empty when ids are left as they are
public record Attachment(String target, Optional<IdMap> idMap, Set<MountFlag> flags) {
    public Attachment {
        if (!target.startsWith("/")) {
            throw new IllegalArgumentException("a target is an absolute path: " + target);
        }
        flags = Set.copyOf(flags);
    }

    public static Attachment at(String target, Set<MountFlag> flags) {
        return new Attachment(target, Optional.empty(), flags);
    }

    public Attachment mapped(IdMap map) {
        return new Attachment(target, Optional.of(map), flags);
    }
}
