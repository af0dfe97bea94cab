package dev.caisson.executions;

import dev.caisson.json.Describe;

/// Attempt at a task: which one it is since the last success.
public record Attempt(
        @Describe("Of this task since it last succeeded, from 1.") int number,
        @Describe("After so many failures in a row a person takes over.") int max) {
    public Attempt {
        if (number < 1 || max < 1) {
            throw new IllegalArgumentException("attempts are counted from 1");
        }
    }
}
