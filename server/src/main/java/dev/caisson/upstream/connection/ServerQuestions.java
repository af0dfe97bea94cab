package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.rpc.IncomingMessage;

/// Answerer of what a server asks us while it answers, or by itself.
@FunctionalInterface
interface ServerQuestions {
    void answer(IncomingMessage.Request asked, Deadline deadline)
            throws UpstreamFailure, InterruptedException;
}
