package dev.caisson.tools;

/// A tool by its name and the version of the product it came with.
record ToolVersion(String name, String version) {}
