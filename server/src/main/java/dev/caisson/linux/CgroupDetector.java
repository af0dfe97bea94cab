package dev.caisson.linux;

import java.nio.file.Path;

/// Finds out what kind of control groups this host has.
final class CgroupDetector {
    private CgroupDetector() {}

    static Cgroups detect(Path root, ServerToken owner) {
        return new AbsentCgroups("There are no control groups at %s (%s).".formatted(root, owner));
    }
}
