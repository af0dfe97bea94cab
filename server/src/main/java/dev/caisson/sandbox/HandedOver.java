package dev.caisson.sandbox;

import tools.jackson.databind.JsonNode;

/// The global `result` of a program, as far as it can be carried.
public sealed interface HandedOver {
    /// How deep a value may be nested. An answer or a record that holds it is deeper by a few
    /// levels, and must still be read by whoever reads no more than [Json#DEPTH_MAX].
    int DEPTH_MAX = 100;

    record Value(JsonNode value) implements HandedOver {}

    /// Too large to carry; in a file of the workspace instead, as the program says. Whoever tells
    /// others has looked whether it is there, and how large it is.
    record InFile(long bytes, String path) implements HandedOver {}

    /// Could not be carried, in words of the server.
    record Unfit(String why) implements HandedOver {}

    /// Could not be carried, in words of the program.
    record Unwritable(String said) implements HandedOver {}
}
