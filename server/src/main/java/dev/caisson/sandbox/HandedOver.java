package dev.caisson.sandbox;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Value a program handed over: its global `result`, as far as it can be carried.
public sealed interface HandedOver {
    /// How deep a value may be nested. An answer or a record that holds it is deeper by a few
    /// levels, and must still be read by whoever reads no more than [Json#DEPTH_MAX].
    int DEPTH_MAX = 100;

    /// How long a value may be that is carried to the answer, as JSON in UTF-8.
    int VALUE_BYTES_MAX = 64 << 10;

    /// A value as far as it can be written again, and is not nested too deep.
    static HandedOver of(JsonNode value) {
        if (depth(value) > DEPTH_MAX) {
            return new Unfit("the value is nested deeper than " + DEPTH_MAX + " levels");
        }
        return Json.isWritable(value)
                ? new Value(value)
                : new Unfit("a text in the value has half of a surrogate pair");
    }

    /// Whoever parsed it had a limit, so this ends.
    private static int depth(JsonNode node) {
        return node.isContainer()
                ? 1 + node.valueStream().mapToInt(HandedOver::depth).max().orElse(0)
                : 0;
    }

    record Value(JsonNode value) implements HandedOver {}

    /// Too large to carry; in a file of the workspace instead, as the program says. Whoever tells
    /// others has looked whether it is there, and how large it is.
    ///
    /// @param path `/workspace/result.json` or alike
    record InFile(long bytes, String path) implements HandedOver {}

    /// Could not be carried, in words of the server.
    record Unfit(String why) implements HandedOver {}

    /// The forms of the last expression, and what was handed over beside them.
    record Displayed(List<DisplayForm> forms, Optional<HandedOver> value) implements HandedOver {
        public Displayed {
            forms = List.copyOf(forms);
        }
    }

    /// Could not be carried, in words of the program.
    record Unwritable(String said) implements HandedOver {}
}
