package dev.caisson.executions;

import dev.caisson.json.Named;

/// File that a run left in its workspace, as the record of the run has it.
///
/// @param path from the root of the workspace
/// @param changed made or touched by this run
public record LeftFile(
        String path, long size, @Named("mime_type") String mediaType, boolean changed) {}
