package dev.caisson.acceptance.transcript;

import java.util.ArrayList;
import java.util.List;

/// A file of cases.
///
/// @param server which kind of server it needs
record Transcript(String title, String intent, String server, List<Case> cases) {
    /// @param blocks in the order of the file
    record Case(String name, List<Block> blocks) {}

    /// Neighbouring lines of one direction and label.
    ///
    /// @param label the open answer it belongs to, or empty
    record Block(String label, boolean fromClient, List<String> lines) {}

    static Transcript parse(String text) {
        var lines = text.lines().toList();
        var intent = new StringBuilder();
        var server = "open";
        var cases = new ArrayList<Case>();
        for (var line : lines.subList(1, lines.size())) {
            if (line.startsWith("-- ")) {
                cases.add(new Case(line.substring(3), new ArrayList<>()));
            } else if (!cases.isEmpty()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    add(cases.getLast().blocks(), line);
                }
            } else if (line.startsWith("server: ")) {
                server = line.substring(8).strip();
            } else {
                intent.append(line.strip()).append(' ');
            }
        }
        if (intent.toString().isBlank() || cases.isEmpty()) {
            throw new IllegalArgumentException(lines.getFirst() + " lacks its intent or its cases");
        }
        return new Transcript(lines.getFirst(), intent.toString().strip(), server, cases);
    }

    private static void add(List<Block> blocks, String line) {
        var label = line.startsWith("[") ? line.substring(1, line.indexOf(']')) : "";
        var rest = label.isEmpty() ? line : line.substring(label.length() + 2);
        var fromClient = rest.startsWith(">");
        if (!fromClient && !rest.startsWith("<")) {
            throw new IllegalArgumentException("neither > nor <: " + line);
        }
        var content = rest.substring(1);
        if (startsBlock(blocks, label, fromClient, content)) {
            blocks.add(new Block(label, fromClient, new ArrayList<>()));
        }
        blocks.getLast().lines().add(content.startsWith(" ") ? content.substring(1) : content);
    }

    private static boolean startsBlock(
            List<Block> blocks, String label, boolean fromClient, String content) {
        return blocks.isEmpty()
                || content.startsWith("<")
                || blocks.getLast().fromClient() != fromClient
                || !blocks.getLast().label().equals(label);
    }

    /// How many answers it expects.
    long exchanges() {
        return cases.stream()
                .flatMap(one -> one.blocks().stream())
                .filter(block -> !block.fromClient())
                .count();
    }
}
