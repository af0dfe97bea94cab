package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.MetaMember;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.Rpc;
import dev.caisson.rpc.RpcError;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Beginning of a connection: which revision is spoken, and what the server says about itself.
final class Handshake {
    private static final long BYTES_MAX = 1 << 20;

    private final String server;
    private final MessageTransport transport;
    private final Ask ask;
    private final boolean forms;

    /// @param forms whether forms of the server are answered
    Handshake(String server, MessageTransport transport, Deadline deadline, boolean forms) {
        this.server = server;
        this.forms = forms;
        this.transport = transport;
        this.ask = Ask.plain(server, deadline, BYTES_MAX);
    }

    static ClientRequest discovery() {
        return ClientRequest.of("server/discover", ClientMeta.on(Json.object()));
    }

    ClientRequest initialization() {
        var params = Json.object().put("protocolVersion", Revision.NEWEST_LEGACY.word());
        params.set("capabilities", ClientMeta.older(forms));
        params.set("clientInfo", ClientMeta.info());
        return ClientRequest.of("initialize", params);
    }

    Ask ask() {
        return ask;
    }

    /// Whether what a server answered to a modern request shows that it speaks that era; the answer
    /// to `server/discover` then says what it is.
    Optional<ServerAbout> modern(IncomingMessage.Response response) throws UpstreamFailure {
        if (response.error().isPresent()) {
            return modern(response.error().get());
        }
        if (!(response.result().orElse(Json.array()) instanceof ObjectNode result)) {
            return Optional.empty();
        }
        boolean speaks = false;
        for (var version : result.path("supportedVersions")) {
            speaks |= Revision.R2026_07_28.word().equals(version.stringValue(""));
        }
        return speaks
                ? Optional.of(
                        about(
                                result.path("_meta").path(MetaMember.SERVER_INFO),
                                result.path("capabilities"),
                                Era.MODERN,
                                Revision.R2026_07_28))
                : Optional.empty();
    }

    /// An error in the words of the modern era is one of a server that speaks it.
    ///
    /// @return empty when it speaks another era
    Optional<ServerAbout> modern(JsonNode error) throws UpstreamFailure {
        return switch (error.path("code").intValue(0)) {
            case RpcError.UNSUPPORTED_VERSION -> {
                var supported = error.path("data").path("supported");
                if (supported.isEmpty() || names(supported, Revision::modern)) {
                    yield Optional.of(nameless(Era.MODERN, Revision.R2026_07_28));
                }
                if (names(supported, known -> !known.modern())) {
                    yield Optional.empty();
                }
                throw ask.refused(
                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                        "speaks no revision of the protocol that is known here");
            }
            case RpcError.HEADER_MISMATCH, RpcError.MISSING_CAPABILITY ->
                    Optional.of(nameless(Era.MODERN, Revision.R2026_07_28));
            default -> Optional.empty();
        };
    }

    private static boolean names(JsonNode supported, Predicate<Revision> wanted) {
        for (var each : supported) {
            if (Revision.of(each.stringValue("")).filter(wanted).isPresent()) {
                return true;
            }
        }
        return false;
    }

    static ServerAbout nameless(Era era, Revision revision) {
        return ServerAbout.of(Json.object(), Json.object(), era, revision);
    }

    private static ServerAbout about(
            JsonNode info, JsonNode capabilities, Era era, Revision revision) {
        return ServerAbout.of(info, capabilities, era, revision);
    }

    /// Takes the answer to `initialize`, and says that it was taken.
    ServerAbout legacy(IncomingMessage.Response response, Era era)
            throws UpstreamFailure, InterruptedException {
        if (!(response.result().orElse(Json.array()) instanceof ObjectNode result)) {
            throw ask.refused(
                    ToolErrorType.UPSTREAM_UNAVAILABLE,
                    "does not begin a connection: " + said(response));
        }
        var revision =
                Revision.of(result.path("protocolVersion").stringValue(""))
                        .filter(known -> !known.modern())
                        .orElseThrow(() ->
                                ask.refused(
                                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                                        "speaks no revision of the protocol that is known here"));
        transport.agree(revision);
        transport.notify(Rpc.notification("notifications/initialized", Json.object()), ask);
        return about(result.path("serverInfo"), result.path("capabilities"), era, revision);
    }

    private static String said(IncomingMessage.Response response) {
        var text = response.error().map(each -> each.path("message").stringValue("")).orElse("");
        return text.isEmpty()
                ? "it says nothing about itself"
                : text.substring(0, Math.min(text.length(), 200));
    }

    Connection connected(ServerAbout about, ServerMessages messages, long resultBytesMax) {
        if (about.listChanges() || (forms && about.era() == Era.LEGACY)) {
            transport.listen();
        }
        return new Connection(server, transport, messages, about, resultBytesMax);
    }
}
