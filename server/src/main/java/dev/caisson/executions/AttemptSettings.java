package dev.caisson.executions;

import dev.caisson.config.Key;

/// Limit on the attempts of a caller at one task.
///
/// @param max failures in a row
public record AttemptSettings(
        @Key(
                        name = "code.attempts_max",
                        initial = "3",
                        min = "1",
                        max = "100",
                        doc =
                                "Runs of one task, by the word of their caller, that may fail one"
                                        + " after the other; the next is refused until somebody"
                                        + " sets the task back.")
                int max) {}
