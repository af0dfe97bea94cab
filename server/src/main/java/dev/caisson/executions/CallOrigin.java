package dev.caisson.executions;

/// Origin of a run, by which it can be accounted for, beside its own id and its trace.
///
/// @param toolVersion the product's
/// @param inputDigest the SHA-256 of the program in UTF-8
/// @param sandboxImage what the program ran in
public record CallOrigin(
        String toolName,
        String toolVersion,
        String inputDigest,
        String sandboxImage,
        Provenance provenance) {}
