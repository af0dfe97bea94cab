package dev.caisson.storage;

/// What a run wrote.
///
/// @param redactions how many secrets were taken out
public record Captured(CapturedStream stdout, CapturedStream stderr, long redactions) {}
