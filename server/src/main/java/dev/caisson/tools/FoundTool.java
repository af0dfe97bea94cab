package dev.caisson.tools;

import dev.caisson.broker.CallPolicy.Outlook;
import dev.caisson.broker.CallPolicy.Verdict;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Sparse;
import dev.caisson.stubs.ToolSignature;
import java.util.Optional;

/// A tool as a search finds it.
///
/// @param tool `module.function`, as calls name it
/// @param serverId as operators know the server
/// @param name of the tool there
/// @param policy what becomes of a call by this caller
/// @param dependsOn what decides it, where it depends
/// @param state a word where calls fail now: `broken`, `under_review`
@Sparse
record FoundTool(
        String tool,
        String serverId,
        String name,
        Optional<String> signature,
        Optional<String> description,
        ToolEffect effect,
        Verdict policy,
        Optional<String> dependsOn,
        Optional<String> state) {
    /// Of a description, in characters.
    static final int DESCRIPTION_LENGTH_MAX = 140;

    static FoundTool of(
            ToolSpec spec, ToolSearch.Detail detail, Outlook outlook, Optional<String> state) {
        var origin = spec.effectiveOrigin();
        return new FoundTool(
                /* tool= */ origin.qualifiedName(),
                origin.id(),
                origin.tool(),
                detail == ToolSearch.Detail.SIGNATURE
                        ? Optional.of(ToolSignature.of(spec))
                        : Optional.empty(),
                detail == ToolSearch.Detail.NAME
                        ? Optional.empty()
                        : Optional.of(start(spec.description())),
                origin.effect(),
                outlook.verdict(),
                outlook.dependsOn(),
                state);
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
