package dev.caisson.upstream.connection;

import dev.caisson.rpc.IncomingMessage;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reply of a server to one POST.
sealed interface PostReply {
    /// The answer to its request.
    record Answered(IncomingMessage.Response response) implements PostReply {}

    /// Taken, with nothing to say.
    record Accepted() implements PostReply {}

    /// Any status but one of success.
    ///
    /// @param error in the words of the protocol, where there is one
    /// @param sessionOver whether the server knows the session of the request no more, so that it
    ///   has not looked at the request
    /// @param challenge what `WWW-Authenticate` says
    record Refused(
            int status, Optional<JsonNode> error, boolean sessionOver, Optional<String> challenge)
            implements PostReply {
        int code() {
            return error.map(each -> each.path("code").intValue(0)).orElse(0);
        }
    }
}
