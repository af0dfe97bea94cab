package dev.caisson.acceptance.product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Fenced blocks of a Markdown document, in their order.
record FencedBlocks(List<Block> blocks) {
    /// @param language the word behind the fence
    record Block(String language, String text) {}

    private static final Pattern FENCED =
            Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    static FencedBlocks of(Path document) throws IOException {
        return new FencedBlocks(
                FENCED.matcher(Files.readString(document))
                        .results()
                        .map(found -> new Block(found.group(1), found.group(2)))
                        .toList());
    }

    /// Those of one language, one after another.
    ///
    /// @throws AssertionError when there are too few to mean anything
    String joined(String language) {
        var all = blocks.stream().filter(block -> block.language().equals(language)).toList();
        if (all.size() < 5) {
            throw new AssertionError("too few blocks of " + language + ": " + all.size());
        }
        return all.stream().map(Block::text).collect(Collectors.joining());
    }
}
