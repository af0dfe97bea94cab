package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/// Lets a URL such as `/mcp?toolsets=core,files` narrow what its caller sees. It never widens it.
public final class ToolsetFilter {
    /// No tool is in a set of this name, and it is not empty, which would mean every set.
    private static final Set<String> NONE = Set.of("(none)");

    private ToolsetFilter() {}

    public static Caller narrowed(Caller caller, String wanted) {
        var sets =
                Arrays.stream(wanted.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty() && caller.sees(name))
                        .collect(Collectors.toSet());
        return caller.seeing(sets.isEmpty() ? NONE : sets);
    }
}
