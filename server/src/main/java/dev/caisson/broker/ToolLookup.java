package dev.caisson.broker;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Result of looking a tool up by the name a caller gave, made once for each call. A tool that the
/// caller may not see was not found.
public final class ToolLookup {
    private final String given;
    private final Optional<ToolIndex.Entry> entry;

    ToolLookup(String given, Optional<ToolIndex.Entry> entry) {
        this.given = given;
        this.entry = entry;
    }

    /// The name the caller gave.
    public String given() {
        return given;
    }

    /// The tool as it takes its arguments under this name.
    public Optional<ToolSpec> spec() {
        return entry.map(found -> found.tool().spec());
    }

    /// The arguments of a call as its tool would get them, and as the policy judges them.
    ///
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT with every mistake in them
    public ObjectNode accepted(ObjectNode arguments) {
        return ToolStages.accepted(entry.orElseThrow(), arguments);
    }

    Optional<ToolIndex.Entry> entry() {
        return entry;
    }

    /// The call of a tool that was found, as it is recorded.
    static ActionRequest request(ToolIndex.Entry found, ObjectNode arguments) {
        var listed = found.listed();
        return new ActionRequest(
                listed.origin().map(ToolOrigin::ledgerName).orElse(listed.name()),
                arguments,
                !found.tool().spec().hints().readOnly(),
                Optional.of(listed.effectiveOrigin()));
    }
}
