package dev.caisson.http;

import dev.caisson.call.Refusal;
import dev.caisson.call.StreamEnd;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.json.RefusalMembers;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The body of an answer that says no, in the one shape all of them have.
public record ErrorBody(
        @Describe("One word.") String error,
        @Describe("Names the culprit and the remedy.") String message,
        @Describe("Why, as tools say it; finer than error.") String status,
        @Describe("Whether the same request may be met later, as it is.") boolean retryable,
        @Describe("How long to wait before it is made again; null where a time is no help.")
                Optional<Long> retryAfterMs,
        @Describe("The execution it is about, such as the one that uses the thread.")
                Optional<String> executionId,
        @Describe("More for programs to read.") Optional<ObjectNode> details) {
    public static ErrorBody of(Refusal refusal) {
        var members = RefusalMembers.of(refusal);
        return new ErrorBody(
                refusal.givenType()
                        .map(ToolErrorType::word)
                        .orElseGet(() -> ErrorCode.of(refusal.reason()).word()),
                members.message(),
                refusal.reason().word(),
                members.retryable(),
                members.retryAfterMs(),
                members.executionId(),
                members.details());
    }

    /// Of an error that only HTTP knows, and that stays while the request is the same.
    public static ErrorBody of(String error, String message) {
        return new ErrorBody(
                error, message, error, false, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// Of a stream that ends before what it shows is over.
    public static ErrorBody of(StreamEnd why) {
        return new ErrorBody(
                why.word(),
                why.sentence(),
                why.word(),
                why.retryable(),
                why.retryAfter().map(Duration::toMillis),
                Optional.empty(),
                Optional.empty());
    }

    /// The same, about an execution.
    public ErrorBody about(String execution) {
        return new ErrorBody(
                error,
                message,
                status,
                retryable,
                retryAfterMs,
                Optional.of(execution),
                Optional.of(Json.object().put(Refusal.EXECUTION_ID, execution)));
    }

    /// Of a fault of ours, which may not come again.
    public static ErrorBody fault(String message) {
        return new ErrorBody(
                "internal",
                message,
                "internal",
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public ObjectNode tree() {
        return Records.tree(this);
    }
}
