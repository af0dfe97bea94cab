package dev.caisson.call;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Answer to a call whose work is not over: the client hears how to go on, and the work continues.
///
/// @param structured conforms to the tool's output schema
public record EarlyAnswer(List<Content> content, JsonNode structured) {
    public EarlyAnswer {
        content = List.copyOf(content);
    }
}
