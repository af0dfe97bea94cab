package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Toolset;
import java.util.Set;

/// Rule of what callers are listed. A tool that a caller may use is listed to it, or only callable:
/// then it works by its name, and is listed to who names its toolset, by key or by address.
///
/// @param defaults the toolsets that are listed to a caller who names none
public record ToolListing(Set<String> defaults) {
    /// What a tool is to a caller.
    public enum Place {
        /// In the caller's list.
        LISTED,
        /// Not in the list, and works when called.
        CALLABLE,
        /// As if there were no such tool.
        UNKNOWN
    }

    /// Everything a caller may use is listed.
    public static final ToolListing ALL = new ToolListing(Set.of());

    public ToolListing {
        defaults = Set.copyOf(defaults);
    }

    public Place of(Caller caller, ToolSpec tool) {
        if (!isCallable(caller, tool)) {
            return Place.UNKNOWN;
        }
        var listed = caller.toolsets().isEmpty() ? defaults : caller.toolsets();
        return listed.isEmpty() || listed.contains(tool.toolset()) ? Place.LISTED : Place.CALLABLE;
    }

    /// Whoever may use a toolset may use those that are other forms of it.
    static boolean isCallable(Caller caller, ToolSpec tool) {
        var sees =
                caller.sees(tool.toolset())
                        || Toolset.of(tool.toolset())
                                .flatMap(Toolset::formOf)
                                .map(Toolset::word)
                                .filter(caller::sees)
                                .isPresent();
        return sees && tool.scope().map(caller::may).orElse(true);
    }
}
