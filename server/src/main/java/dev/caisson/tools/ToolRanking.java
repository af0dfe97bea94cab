package dev.caisson.tools;

import dev.caisson.broker.ToolSpec;
import dev.caisson.search.TextIndex;
import java.util.List;
import java.util.Optional;

/// Ranking of tools by what they say of themselves, whichever server they are of. A caller is given
/// an index of the tools it may call, so it finds no other.
final class ToolRanking {
    /// How much of a description counts, in characters.
    static final int DESCRIPTION_LENGTH_MAX = 400;

    private final TextIndex<ToolSpec> index;

    /// @param callable the tools that can be found
    ToolRanking(List<ToolSpec> callable) {
        index = TextIndex.of(callable.stream().map(ToolRanking::entry).toList());
    }

    private static TextIndex.Entry<ToolSpec> entry(ToolSpec tool) {
        var name = tool.origin().map(origin -> origin.function()).orElse(tool.name());
        return new TextIndex.Entry<>(
                tool,
                List.of(
                        new TextIndex.Field(tool.server(), 3),
                        new TextIndex.Field(name, 3),
                        new TextIndex.Field(tool.title(), 2),
                        new TextIndex.Field(start(tool.description()), 1),
                        new TextIndex.Field(argumentNames(tool), 1)));
    }

    private static String start(String description) {
        return description.length() > DESCRIPTION_LENGTH_MAX
                ? description.substring(0, DESCRIPTION_LENGTH_MAX)
                : description;
    }

    private static String argumentNames(ToolSpec tool) {
        return String.join(" ", tool.inputSchema().path("properties").propertyNames());
    }

    /// The tools that have a word of the query, the best first.
    ///
    /// @param server of which alone tools are wanted
    List<ToolSpec> search(String query, Optional<String> server) {
        return index.search(query).stream()
                .map(TextIndex.Hit::subject)
                .filter(tool -> server.map(tool.server()::equals).orElse(true))
                .toList();
    }
}
