package dev.caisson.executions;

import dev.caisson.json.Describe;
import java.util.List;
import java.util.Optional;

/// Use of tools by the program of one run, as its report has it.
///
/// @param tokensKept what a context was spared
public record ToolUse(
        @Describe("Calls of tools that the program made.") long calls,
        long failed,
        long denied,
        @Describe("Calls of which nobody knows whether they changed something.") long unknown,
        long resultBytes,
        @Describe("What arguments and results of these calls are, in tokens.") long tokensInside,
        @Describe("What the output and the value of this run are.") long tokensOut,
        @Describe("tokens_inside less tokens_out: what a context was spared.") long tokensKept,
        @Describe("Whether tokens are estimated from bytes.") boolean estimated,
        @Describe("Members and types that results had and those before had not, with their tools.")
                Optional<List<String>> shapeDrift,
        @Describe(
                        "The worst that became of calls that a person had to approve: APPROVED,"
                                + " PENDING or DENIED; null when there was none.")
                Optional<String> approval,
        @Describe(
                        "Milliseconds for which the run stood still while people decided; they do not"
                                + " count into duration_ms. Null when it did not.")
                Optional<Long> parkedMs) {}
