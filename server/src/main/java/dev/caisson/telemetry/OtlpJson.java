package dev.caisson.telemetry;

import dev.caisson.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes spans in the JSON encoding of OTLP 1, the protocol of OpenTelemetry:
///
/// ```
/// {"resourceSpans": [{
///   "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": …}}, …]},
///   "scopeSpans": [{"scope": {"name": "dev.caisson", "version": …}, "spans": [{
///     "traceId": 32 hex digits, "spanId": 16 hex digits, ["parentSpanId": 16 hex digits,]
///     "name": …, "kind": 1 (internal) or 2 (server),
///     "startTimeUnixNano": decimal text, "endTimeUnixNano": decimal text,
///     "attributes": […], "status": {} or {"code": 2} (error)
///   }, …]}]
/// }]}
/// ```
final class OtlpJson {
    private static final String SCOPE = "dev.caisson";
    private static final int ERROR = 2;
    private static final long NANOS = 1_000_000_000;

    private OtlpJson() {}

    static byte[] bytes(OtlpSettings settings, List<Span> spans) {
        var scopeSpans = Json.object();
        scopeSpans.putObject("scope").put("name", SCOPE).put("version", settings.version());
        var list = scopeSpans.putArray("spans");
        spans.forEach(span -> list.add(span(span)));
        var resourceSpans = Json.object();
        resourceSpans
                .putObject("resource")
                .set(
                        "attributes",
                        attributes(
                                Map.of(
                                        "service.name", settings.service(),
                                        "service.version", settings.version())));
        resourceSpans.putArray("scopeSpans").add(scopeSpans);
        var whole = Json.object();
        whole.putArray("resourceSpans").add(resourceSpans);
        return Json.bytes(whole);
    }

    private static ObjectNode span(Span span) {
        var json = Json.object();
        json.put("traceId", span.trace().value()).put("spanId", span.id().value());
        span.parent().ifPresent(parent -> json.put("parentSpanId", parent.value()));
        json.put("name", span.name())
                .put("kind", kind(span.kind()))
                .put("startTimeUnixNano", unixNanos(span.began()))
                .put("endTimeUnixNano", unixNanos(span.ended()))
                .set("attributes", attributes(span.words()));
        var status = json.putObject("status");
        if (span.failed()) {
            status.put("code", ERROR);
        }
        return json;
    }

    private static int kind(Span.Kind kind) {
        return switch (kind) {
            case INTERNAL -> 1;
            case SERVER -> 2;
        };
    }

    private static ArrayNode attributes(Map<String, String> words) {
        var list = Json.array();
        words.forEach((key, value) -> {
            var attribute = list.addObject().put("key", key);
            attribute.putObject("value").put("stringValue", value);
        });
        return list;
    }

    /// As text, because a number of JSON is not that exact.
    private static String unixNanos(Instant time) {
        return Long.toString(time.getEpochSecond() * NANOS + time.getNano());
    }
}
