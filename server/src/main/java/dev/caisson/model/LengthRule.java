package dev.caisson.model;

import dev.caisson.json.Range;
import dev.caisson.json.Sparse;
import java.util.Optional;

/// Bounds on the length of a text, in characters.
@Sparse
public record LengthRule(
        @Range(min = 0, max = 1_000_000) Optional<Integer> min,
        @Range(min = 0, max = 1_000_000) Optional<Integer> max) {}
