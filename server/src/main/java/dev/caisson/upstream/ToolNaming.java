package dev.caisson.upstream;

import java.util.Set;

/// Giver of the names by which programs call a tool.
@FunctionalInterface
public interface ToolNaming {
    /// Names of one tool in both languages.
    record Names(String python, String js) {}

    /// @param tool its protocol name
    /// @param takenPython those that other tools of the upstream have already
    /// @param takenJs the same
    Names name(String tool, Set<String> takenPython, Set<String> takenJs);
}
