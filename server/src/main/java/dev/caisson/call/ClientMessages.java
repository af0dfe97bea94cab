package dev.caisson.call;

import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/// One-way messages to a client beside the result of its call: progress and log messages.
public interface ClientMessages {
    /// Nobody reads them.
    ClientMessages NONE =
            new ClientMessages() {
                @Override
                public void progress(double done, OptionalDouble total, String message) {}

                @Override
                public void log(LogLevel level, String logger, JsonNode data) {}
            };

    /// How far the work is. Ignored when the client did not ask, and when it does not go up.
    void progress(double done, OptionalDouble total, String message);

    /// Ignored when the client did not ask for this level.
    void log(LogLevel level, String logger, JsonNode data);
}
