package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Toolset;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Rule of what callers are listed. A tool that a caller may use is listed to it, or only callable:
/// then it works by its name, is found, and is listed to who names its toolset, by key or by
/// address.
///
/// @param defaults the toolsets that are listed to a caller who names none
/// @param mode what becomes of the tools of other servers in such a list
public record ToolListing(Set<String> defaults, Mode mode) {
    /// What is listed to a caller who names no toolset.
    public enum Mode {
        /// The toolset `code` to who may call a tool of another server, the default ones to others.
        AUTO,
        /// The default toolsets, and every tool of other servers.
        ALL,
        /// The toolset `code`.
        CODE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Everything a caller may use is listed.
    public static final ToolListing ALL = new ToolListing(Set.of(), Mode.ALL);

    private static final String CODE = Toolset.CODE.word();

    /// View of one caller on the tools it may call.
    ///
    /// @param toolsets that are listed; empty for all
    /// @param foreign whether tools of other servers are listed whatever their toolset
    record View(Set<String> toolsets, boolean foreign) {
        /// The tool as it is listed; empty if it is only callable.
        Optional<ToolSpec> shown(ToolIndex.Entry entry) {
            var spec = entry.listed();
            if (toolsets.isEmpty()
                    || toolsets.contains(spec.toolset())
                    || (foreign && spec.origin().isPresent())) {
                return Optional.of(entry.brief());
            }
            return spec.inCode().shortened() && toolsets.contains(CODE)
                    ? Optional.of(entry.briefInCode())
                    : Optional.empty();
        }
    }

    public ToolListing {
        defaults = Set.copyOf(defaults);
    }

    /// @param foreign whether the caller may call a tool of another server
    View viewOf(Caller caller, boolean foreign) {
        if (!caller.toolsets().isEmpty()) {
            return new View(caller.toolsets(), false);
        }
        return switch (mode) {
            case ALL -> new View(defaults, true);
            case CODE -> new View(Set.of(CODE), false);
            case AUTO -> new View(foreign ? Set.of(CODE) : defaults, false);
        };
    }

    /// Patterns of a caller are about tools of other servers; scopes and toolsets are about all.
    /// Whoever may use a toolset may use those that are other forms of it.
    static boolean isCallable(Caller caller, ToolSpec tool) {
        return tool.scope().map(caller::may).orElse(true)
                && tool.origin()
                        .map(origin -> caller.tools().include(origin.qualifiedName()))
                        .orElse(true)
                && tool.toolsets().stream().anyMatch(toolset -> sees(caller, toolset));
    }

    private static boolean sees(Caller caller, String toolset) {
        return caller.sees(toolset)
                || Toolset.of(toolset)
                        .flatMap(Toolset::formOf)
                        .map(Toolset::word)
                        .filter(caller::sees)
                        .isPresent();
    }
}
