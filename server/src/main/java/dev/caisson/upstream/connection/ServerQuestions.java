package dev.caisson.upstream.connection;

import dev.caisson.rpc.IncomingMessage;

/// Answerer of what a server asks us while it answers, or by itself.
@FunctionalInterface
interface ServerQuestions {
    /// @param ask the request in whose answer it is asked
    void answer(IncomingMessage.Request asked, Ask ask)
            throws UpstreamFailure, InterruptedException;
}
