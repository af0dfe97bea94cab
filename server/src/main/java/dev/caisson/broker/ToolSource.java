package dev.caisson.broker;

import dev.caisson.call.Caller;

/// Source of tools for the catalogue. Sources change independently of each other.
@FunctionalInterface
public interface ToolSource {
    /// The tools of this source as they are for a caller, whether it may see them or not: the
    /// catalogue asks for toolset and scope. Called for every call, so an index is made once and
    /// kept.
    ToolIndex tools(Caller caller);
}
