package dev.caisson.linux.cgroup;

import java.nio.file.Path;
import java.util.Set;

/// Hierarchy of control groups: one mounted tree.
///
/// @param controllers that work in it; may be none
/// @param parent the directory below which groups are made
record CgroupHierarchy(Version version, Set<String> controllers, Path parent) {
    enum Version {
        V1,
        V2
    }

    CgroupHierarchy {
        controllers = Set.copyOf(controllers);
    }
}
