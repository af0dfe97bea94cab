package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// Options of one call of a tool.
///
/// @param deadline of the whole call; waiting for a turn counts into it
/// @param changing whether the call may change something, so that nobody may guess how it ended
/// @param traceparent the only thing of the caller's request that goes on
/// @param key of the call, the same however often it is sent; by it an upstream knows one it had
/// @param inputSchema of the tool, whose `x-mcp-header` say which arguments stand in headers too
/// @param onSent called before the first byte goes out
/// @param onProgress gets the parameters of each progress notification, as the server sent them
/// @param dialogue answers what the upstream asks meanwhile
public record CallOptions(
        Deadline deadline,
        boolean changing,
        Optional<String> traceparent,
        Optional<String> key,
        Optional<ObjectNode> inputSchema,
        Runnable onSent,
        Consumer<ObjectNode> onProgress,
        CallDialogue dialogue) {
    /// The member of `_meta` that has the key.
    static final String KEY_MEMBER = "dev.caisson/idempotencyKey";

    /// The header that has it, over HTTP.
    static final String KEY_HEADER = "Idempotency-Key";

    /// A call that changes nothing.
    public static CallOptions reading(Deadline deadline) {
        return new CallOptions(
                deadline,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                () -> {},
                _ -> {},
                CallDialogue.NONE);
    }

    /// The same for a call that may change something.
    public CallOptions thatChanges() {
        return new CallOptions(
                deadline, true, traceparent, key, inputSchema, onSent, onProgress, dialogue);
    }

    /// The same with the schema of the tool.
    public CallOptions withSchema(ObjectNode schema) {
        return new CallOptions(
                deadline,
                changing,
                traceparent,
                key,
                Optional.of(schema),
                onSent,
                onProgress,
                dialogue);
    }

    /// The same with somebody who answers.
    public CallOptions answeredBy(CallDialogue other) {
        return new CallOptions(
                deadline, changing, traceparent, key, inputSchema, onSent, onProgress, other);
    }
}
