package dev.caisson.oauth;

import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Upstream and authorization server of tests in one: it says what a test has it say, and writes
/// down what it was asked.
public final class FakeAuthorization implements AutoCloseable {
    /// Documents by their path; a test changes them.
    final Map<String, ObjectNode> documents = new HashMap<>();

    /// Whole answers by their path, in place of documents.
    final Map<String, byte[]> answers = new HashMap<>();

    /// Forms that the token endpoint was sent.
    public final List<Map<String, String>> grants = new CopyOnWriteArrayList<>();

    final AtomicInteger tokens = new AtomicInteger();
    public final RawHttpServer server;

    /// What answers at the address of the upstream.
    public volatile RawHttpServer.Handler upstream = this::challenge;

    /// What the next tokens are like.
    volatile long expiresIn = 3600;

    volatile Optional<String> tokenError = Optional.empty();
    volatile long delayMillis;

    public FakeAuthorization() throws IOException {
        server = new RawHttpServer(this::answer);
        documents.put(
                "/.well-known/oauth-protected-resource/mcp",
                resource(upstream().toString(), issuer()));
        documents.put("/.well-known/oauth-authorization-server", metadata(issuer()));
    }

    static ObjectNode resource(String resource, String issuer) {
        var document = Json.object().put("resource", resource);
        document.putArray("authorization_servers").add(issuer);
        document.putArray("scopes_supported").add("notes:read").add("notes:write");
        return document;
    }

    /// Of this server.
    ObjectNode metadata(String issuer) {
        var document =
                Json.object()
                        .put("issuer", issuer)
                        .put("authorization_endpoint", at("/authorize?tenant=a"))
                        .put("token_endpoint", at("/token"))
                        .put("registration_endpoint", at("/register"))
                        .put("authorization_response_iss_parameter_supported", true);
        document.putArray("code_challenge_methods_supported").add("plain").add("S256");
        return document;
    }

    ObjectNode document(String path) {
        return Objects.requireNonNull(documents.get(path));
    }

    String at(String path) {
        return server.address(path).toString();
    }

    public String issuer() {
        return server.address("").toString();
    }

    public URI upstream() {
        return server.address("/mcp");
    }

    /// How often a path was asked for.
    long asked(String path) {
        return server.requests().stream()
                .filter(request -> request.path().split("\\?", 2)[0].equals(path))
                .count();
    }

    private void answer(RawHttpServer.Request request, OutputStream out)
            throws IOException, InterruptedException {
        var path = request.path().split("\\?", 2)[0];
        var whole = answers.get(path);
        if (whole != null) {
            out.write(whole);
            return;
        }
        switch (path) {
            case "/mcp" -> upstream.answer(request, out);
            case "/register" -> reply(out, 201, Json.object().put("client_id", "registered"));
            case "/token" -> token(request, out);
            default -> {
                var document = documents.get(path);
                reply(
                        out,
                        document == null ? 404 : 200,
                        document == null ? Json.object() : document);
            }
        }
    }

    private void token(RawHttpServer.Request request, OutputStream out)
            throws IOException, InterruptedException {
        grants.add(form(new String(request.body(), StandardCharsets.US_ASCII)));
        Thread.sleep(delayMillis);
        if (tokenError.isPresent()) {
            reply(out, 400, Json.object().put("error", tokenError.get()));
            return;
        }
        int number = tokens.incrementAndGet();
        reply(
                out,
                200,
                Json.object()
                        .put("access_token", "access-" + number)
                        .put("refresh_token", "refresh-" + number)
                        .put("token_type", "Bearer")
                        .put("expires_in", expiresIn));
    }

    /// Without a token it took, an upstream says so.
    private void challenge(RawHttpServer.Request request, OutputStream out) throws IOException {
        out.write(RawHttpServer.answer(401, "text/plain", "", "WWW-Authenticate: Bearer"));
    }

    private static void reply(OutputStream out, int status, ObjectNode body) throws IOException {
        out.write(RawHttpServer.answer(status, "application/json", Json.bytes(body)));
    }

    public static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&", -1))
                .map(pair -> pair.split("=", 2))
                .collect(
                        Collectors.toMap(
                                pair -> pair[0],
                                pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
