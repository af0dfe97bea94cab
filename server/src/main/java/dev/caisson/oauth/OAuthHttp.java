package dev.caisson.oauth;

import dev.caisson.call.Deadline;
import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Requests of OAuth over the guarded HTTP: small documents in JSON, soon or not at all, from the
/// very address that was asked.
public final class OAuthHttp {
    /// How long an answer may be.
    static final int BYTES_MAX = 256 << 10;

    /// How long one request may take.
    static final Duration TIME_MAX = Duration.ofSeconds(10);

    private static final int OK = 200;
    private static final String JSON = "application/json";

    private final OutgoingHttp http;
    private final Duration timeMax;

    /// Answer, of whatever status.
    ///
    /// @param body empty when it is no JSON object
    /// @param challenge what `WWW-Authenticate` says
    record Answer(int status, Optional<ObjectNode> body, Optional<String> challenge) {}

    public OAuthHttp(OutgoingHttp http) {
        this(http, TIME_MAX);
    }

    OAuthHttp(OutgoingHttp http, Duration timeMax) {
        this.http = http;
        this.timeMax = timeMax;
    }

    /// A document; empty when there is none at this address.
    Optional<ObjectNode> find(String what, URI address) throws OAuthFailure, InterruptedException {
        var answer = get(what, address);
        if (answer.status() != OK) {
            return Optional.empty();
        }
        return Optional.of(
                answer.body().orElseThrow(() -> new OAuthFailure(what + " is not a JSON object.")));
    }

    Answer get(String what, URI address) throws OAuthFailure, InterruptedException {
        return send(what, "GET", address, Map.of(), Optional.empty());
    }

    Answer post(String what, URI address, Map<String, String> headers, OutgoingRequest.Body body)
            throws OAuthFailure, InterruptedException {
        return send(what, "POST", address, headers, Optional.of(body));
    }

    private Answer send(
            String what,
            String method,
            URI address,
            Map<String, String> headers,
            Optional<OutgoingRequest.Body> body)
            throws OAuthFailure, InterruptedException {
        var all = new HashMap<>(headers);
        all.put("Accept", JSON);
        var request =
                new OutgoingRequest(
                        method,
                        address,
                        all,
                        body,
                        Optional.of(Deadline.in(timeMax)),
                        BYTES_MAX,
                        false,
                        () -> {});
        try (var answer = http.send(request)) {
            return new Answer(
                    answer.status(), object(answer.bytes()), answer.header("WWW-Authenticate"));
        } catch (EgressFailure failed) {
            throw new OAuthFailure(what + ": " + failed.sentence() + ".");
        }
    }

    private static Optional<ObjectNode> object(byte[] bytes) {
        try {
            return Json.parseAnswer(bytes) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JacksonException none) {
            return Optional.empty();
        }
    }
}
