package dev.caisson.upstream.connection;

import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.Revision;
import tools.jackson.databind.node.ObjectNode;

/// Transport of messages to one upstream and back. Several requests may be under way at once.
sealed interface MessageTransport extends AutoCloseable
        permits HttpTransport, SseTransport, StdioTransport {
    /// Sends a request and waits for its answer. When interrupted or out of time, the server is
    /// told that nobody waits any more.
    IncomingMessage.Response request(ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException;

    /// Sends what has no answer.
    void notify(ObjectNode notification, Ask ask) throws UpstreamFailure, InterruptedException;

    /// From now on this revision is spoken.
    void agree(Revision revision);

    /// From now on what the server says of changes is heard, where that needs a stream of its own.
    void listen();

    /// Whether requests can still be sent. One that was closed for what came is of a server that is
    /// there: another connection may be made at once.
    Openness openness();

    @Override
    void close();
}
