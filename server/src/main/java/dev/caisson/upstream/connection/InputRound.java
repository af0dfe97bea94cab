package dev.caisson.upstream.connection;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Answers with which a request is made once more.
///
/// @param responses by the upstream's keys
/// @param state that the upstream wanted back, as it was
public record InputRound(ObjectNode responses, Optional<String> state) {
    /// The same parameters with the answers.
    ObjectNode on(ObjectNode params) {
        var more = params.deepCopy();
        more.set("inputResponses", responses);
        state.ifPresent(text -> more.put("requestState", text));
        return more;
    }
}
