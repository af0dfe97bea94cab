package dev.caisson.runs;

/// A tool by its name and the version of the product it came with.
public record ToolVersion(String name, String version) {}
