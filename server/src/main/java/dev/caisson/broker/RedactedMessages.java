package dev.caisson.broker;

import dev.caisson.call.ClientMessages;
import dev.caisson.call.LogLevel;
import dev.caisson.redact.Redactor;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/// Redaction of the messages a tool sends beside its result.
record RedactedMessages(ClientMessages client, Redactor redactor) implements ClientMessages {
    @Override
    public void progress(double done, OptionalDouble total, String message) {
        client.progress(done, total, redactor.text(message));
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        client.log(level, logger, redactor.tree(data));
    }
}
