package dev.caisson.upstream;

import dev.caisson.call.Glob;
import java.util.List;

/// Filter of the tools of an upstream by their protocol names: those that are included and not
/// excluded. The others are as if they did not exist.
public record ToolFilter(List<Glob> include, List<Glob> exclude) {
    /// How many patterns each list may have.
    static final int PATTERNS_MAX = 200;

    /// Every tool.
    public static final ToolFilter ALL = new ToolFilter(List.of(Glob.ALL), List.of());

    public ToolFilter {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }

    public boolean takes(String tool) {
        return include.stream().anyMatch(glob -> glob.matches(tool))
                && exclude.stream().noneMatch(glob -> glob.matches(tool));
    }
}
