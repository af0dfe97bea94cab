package dev.caisson.sandbox;

import tools.jackson.databind.JsonNode;

/// The global `result` of a program, as far as it can be carried.
public sealed interface HandedOver {
    record Value(JsonNode value) implements HandedOver {}

    /// Too large to carry; the guest wrote it to a file of the workspace instead.
    record InFile(long bytes, String path) implements HandedOver {}

    /// Not serialisable.
    record Unfit(String why) implements HandedOver {}
}
