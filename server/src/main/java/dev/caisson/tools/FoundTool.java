package dev.caisson.tools;

import dev.caisson.broker.CallPolicy.Verdict;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Sparse;
import dev.caisson.stubs.ToolSignature;
import java.util.Optional;

/// A tool as a search finds it.
///
/// @param tool `module.function`, as calls name it
/// @param serverId the module
/// @param policy what becomes of a call by this caller
@Sparse
record FoundTool(
        String tool,
        String serverId,
        Optional<String> name,
        Optional<String> signature,
        Optional<String> description,
        ToolEffect effect,
        Verdict policy) {
    /// Of a description, in characters.
    static final int DESCRIPTION_LENGTH_MAX = 140;

    static FoundTool of(ToolSpec spec, ToolSearch.Detail detail, Verdict policy) {
        var origin = spec.effectiveOrigin();
        return new FoundTool(
                origin.qualifiedName(),
                origin.server(),
                detail == ToolSearch.Detail.NAME_AND_DESCRIPTION
                        ? Optional.of(origin.tool())
                        : Optional.empty(),
                detail == ToolSearch.Detail.SIGNATURE
                        ? Optional.of(ToolSignature.of(spec))
                        : Optional.empty(),
                detail == ToolSearch.Detail.NAME
                        ? Optional.empty()
                        : Optional.of(start(spec.description())),
                origin.effect(),
                policy);
    }

    /// The first sentence, or as much of it as fits.
    static String start(String description) {
        var text = description.strip().replaceAll("\\s+", " ");
        int sentence = text.indexOf(". ");
        var first = sentence < 0 ? text : text.substring(0, sentence + 1);
        return first.codePointCount(0, first.length()) <= DESCRIPTION_LENGTH_MAX
                ? first
                : first.substring(0, first.offsetByCodePoints(0, DESCRIPTION_LENGTH_MAX - 1)) + "…";
    }
}
