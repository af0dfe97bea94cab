package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.McpLimits;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Seals what a call remembers while the client holds it: bound to the caller and to the request,
/// and good for a limited time. What comes back is an attacker's until proven otherwise.
public final class RequestState {
    private final Sealer sealer;
    private final McpLimits limits;
    private final Clock clock;

    public RequestState(byte[] secret, McpLimits limits, Clock clock) {
        this.sealer = new Sealer(secret, "request state");
        this.limits = limits;
        this.clock = clock;
    }

    /// @throws Refusal TOO_LARGE when the client could not bring it back
    public String seal(ObjectNode state, Caller caller, JsonNode request) {
        var payload = Json.object();
        payload.put("until", clock.instant().plus(limits.questions().stateLife()).getEpochSecond());
        payload.set("state", state);
        var sealed = sealer.seal(Json.bytes(payload), caller.id(), digest(request));
        if (sealed.length() > limits.questions().stateBytes()) {
            throw new Refusal(
                    Reason.TOO_LARGE,
                    "What this call has to remember is larger than "
                            + limits.questions().stateBytes()
                            + " bytes; answer with less");
        }
        return sealed;
    }

    /// @throws Refusal MALFORMED for anything but an unexpired state of the same caller and request
    public ObjectNode open(String sealed, Caller caller, JsonNode request) {
        if (sealed.length() > limits.questions().stateBytes()) {
            throw refused("is larger than " + limits.questions().stateBytes() + " bytes");
        }
        var payload =
                sealer.open(sealed, caller.id(), digest(request))
                        .map(Json::parse)
                        .orElseThrow(() -> refused("was changed, or is of another request"));
        if (clock.instant().getEpochSecond() > payload.path("until").longValue()) {
            throw refused("is too old; make the request again from its start");
        }
        return (ObjectNode) payload.path("state");
    }

    private static Refusal refused(String what) {
        return new Refusal(
                Reason.MALFORMED,
                "params.requestState " + what,
                Map.of("member", "params.requestState"));
    }

    private static String digest(JsonNode request) {
        var text = Json.text(ordered(request));
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The same value with its members in order, since a client may send them in another.
    private static JsonNode ordered(JsonNode node) {
        if (node.isArray()) {
            var array = Json.array();
            node.forEach(item -> array.add(ordered(item)));
            return array;
        }
        if (!node.isObject()) {
            return node;
        }
        var members = new TreeMap<String, JsonNode>();
        node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        var object = Json.object();
        members.forEach((name, value) -> object.set(name, ordered(value)));
        return object;
    }
}
