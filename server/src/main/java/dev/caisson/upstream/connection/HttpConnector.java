package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Connector to an upstream at an address. It asks in the words of the newest era first, and goes
/// back as far as the answers say; what is no answer of the protocol says nothing.
///
/// @param server as it is called in sentences
/// @param credentials they go to this address alone
/// @param forms whether forms that it wants to have filled in are answered
public record HttpConnector(
        String server,
        OutgoingHttp http,
        URI address,
        Kind kind,
        RequestCredentials credentials,
        long resultBytesMax,
        ReadBudget budget,
        boolean forms)
        implements Connector {
    /// Statuses of servers that know no Streamable HTTP.
    private static final Set<Integer> NOT_STREAMABLE = Set.of(400, 404, 405);

    /// Statuses that say nothing about the era.
    private static final Set<Integer> NO_EVIDENCE = Set.of(401, 403, 408, 429);

    /// Failures that no other era would mend.
    private static final Set<ToolErrorType> NO_CHANGE =
            Set.of(
                    ToolErrorType.AUTHORIZATION_REQUIRED,
                    ToolErrorType.TIMEOUT,
                    ToolErrorType.NO_CAPACITY);

    /// How the protocol is spoken over HTTP.
    public enum Kind {
        /// Whichever it is.
        AUTO,
        STREAMABLE,
        SSE
    }

    /// With headers that are always the same.
    public HttpConnector(
            String server,
            OutgoingHttp http,
            URI address,
            Kind kind,
            Map<String, String> headers,
            long resultBytesMax,
            ReadBudget budget,
            boolean forms) {
        this(
                server,
                http,
                address,
                kind,
                RequestCredentials.fixed(headers),
                resultBytesMax,
                budget,
                forms);
    }

    @Override
    public Connection connect(Optional<Era> known, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        if (known.isEmpty()) {
            return asKnown(known, deadline);
        }
        try {
            return asKnown(known, deadline);
        } catch (UpstreamFailure failed) {
            if (NO_CHANGE.contains(failed.type()) || deadline.isOver()) {
                throw failed;
            }
            // What it spoke once need not be what it speaks now.
            return asKnown(Optional.empty(), deadline);
        }
    }

    private Connection asKnown(Optional<Era> known, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        boolean sse = kind == Kind.SSE || (kind == Kind.AUTO && known.equals(Optional.of(Era.SSE)));
        return sse ? overEvents(deadline) : streamable(known, deadline);
    }

    private Connection streamable(Optional<Era> known, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        var messages = new ServerMessages();
        var transport = new HttpTransport(http, address, credentials, messages, budget);
        var handshake = new Handshake(server, transport, deadline, forms);
        boolean made = false;
        try {
            if (!known.equals(Optional.of(Era.LEGACY))) {
                var about = modern(transport, handshake);
                if (about.isPresent()) {
                    made = true;
                    return handshake.connected(about.get(), messages, resultBytesMax);
                }
            }
            transport.agree(Revision.NEWEST_LEGACY);
            switch (transport.post(handshake.initialization(), handshake.ask())) {
                case PostReply.Answered(var response) -> {
                    var about = handshake.legacy(response, Era.LEGACY);
                    made = true;
                    return handshake.connected(about, messages, resultBytesMax);
                }
                case PostReply.Accepted _ ->
                        throw handshake
                                .ask()
                                .refused(
                                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                                        "does not answer initialize");
                case PostReply.Refused refused -> {
                    if (kind != Kind.AUTO || !NOT_STREAMABLE.contains(refused.status())) {
                        throw HttpFailures.refusal(refused, handshake.ask());
                    }
                }
            }
        } finally {
            if (!made) {
                transport.close();
            }
        }
        return overEvents(deadline);
    }

    private static Optional<ServerAbout> modern(HttpTransport transport, Handshake handshake)
            throws UpstreamFailure, InterruptedException {
        return switch (transport.post(Handshake.discovery(), handshake.ask())) {
            case PostReply.Answered(var response) -> handshake.modern(response);
            case PostReply.Accepted _ -> Optional.empty();
            case PostReply.Refused refused -> modern(refused, handshake);
        };
    }

    private static Optional<ServerAbout> modern(PostReply.Refused refused, Handshake handshake)
            throws UpstreamFailure {
        if (refused.status() / 100 != 4 || NO_EVIDENCE.contains(refused.status())) {
            throw HttpFailures.refusal(refused, handshake.ask());
        }
        if (refused.status() == 404 && refused.code() == RpcError.METHOD_NOT_FOUND) {
            return Optional.of(Handshake.nameless(Era.MODERN, Revision.R2026_07_28));
        }
        return refused.error().isPresent()
                ? handshake.modern(refused.error().get())
                : Optional.empty();
    }

    private Connection overEvents(Deadline deadline) throws UpstreamFailure, InterruptedException {
        var messages = new ServerMessages();
        var transport =
                new SseTransport(
                        http,
                        address,
                        credentials.headers(),
                        Math.toIntExact(resultBytesMax),
                        messages,
                        budget);
        var handshake = new Handshake(server, transport, deadline, forms);
        boolean made = false;
        try {
            IncomingMessage.Response response =
                    transport.request(handshake.initialization(), handshake.ask());
            var about = handshake.legacy(response, Era.SSE);
            made = true;
            return handshake.connected(about, messages, resultBytesMax);
        } finally {
            if (!made) {
                transport.close();
            }
        }
    }
}
