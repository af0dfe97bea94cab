package dev.caisson.mcp.server;

import dev.caisson.call.Question;
import dev.caisson.call.Suspended;
import java.util.Map;

/// Ends a call that must be made again with answers. Not an error; it passes through the tool.
final class InputRequired extends Suspended {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, Question> questions;

    InputRequired(Map<String, Question> questions) {
        super("input required");
        this.questions = questions;
    }

    Map<String, Question> questions() {
        return questions;
    }
}
