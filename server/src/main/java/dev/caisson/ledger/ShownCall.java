package dev.caisson.ledger;

import dev.caisson.call.CodePlace;
import dev.caisson.json.Describe;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// A call of another server's tool as it is shown.
public record ShownCall(
        String id,
        @Describe("Of the program that made it; null for a direct call.")
                Optional<String> executionId,
        @Describe("The id of the key that made it.") String caller,
        @Describe(
                        "Which call of its execution, from 1; calls of our own tools count too. 0 for a direct call.")
                long number,
        @Describe("Where in the program it was made, by the program's own word.")
                Optional<CodePlace> at,
        @Describe("As programs name it, with its server.") String tool,
        @Describe("intended, done, not_sent, unknown or refused.") String state,
        @Describe("read, write, destroy or unknown.") String effect,
        @Describe("Null while it is under way.") Optional<Boolean> failed,
        @Describe("How a call ended that got no result.") Optional<String> error,
        @Describe("Without secrets; null where they are not kept.") Optional<JsonNode> arguments,
        @Describe("As the program got it, without secrets; null where it is not kept.")
                Optional<JsonNode> result,
        long argumentBytes,
        Optional<Long> resultBytes,
        String createdAt,
        Optional<Double> durationMs,
        @Describe("Null unless nobody knew what it did, and somebody found out.")
                Optional<Reconciled> reconciled) {
    private static final int MICROS = 1_000;

    /// Who found out what became of a call of which nobody knew.
    public record Reconciled(
            @Describe("person, retry or check.") String how,
            @Describe("The name of a key, or a tool.") String by,
            String at) {}

    public static ShownCall of(UpstreamCall call) {
        return new ShownCall(
                call.id(),
                call.executionId(),
                call.caller(),
                call.number(),
                call.at(),
                call.upstream() + "." + call.tool(),
                call.state().word(),
                call.effect(),
                call.failed(),
                call.error(),
                call.arguments(),
                call.result(),
                call.argumentBytes(),
                boxed(call.resultBytes()),
                call.began().toString(),
                boxed(call.durationMicros()).map(micros -> (double) micros / MICROS),
                call.reconciled()
                        .map(one ->
                                new Reconciled(one.how().word(), one.by(), one.at().toString())));
    }

    private static Optional<Long> boxed(OptionalLong number) {
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }
}
