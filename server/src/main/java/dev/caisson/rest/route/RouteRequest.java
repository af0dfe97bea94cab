package dev.caisson.rest.route;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.StreamEnd;
import dev.caisson.http.Exchange;
import dev.caisson.http.OutStream;
import dev.caisson.json.Records;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// One request, as the action of its route sees it: whoever asks may ask it, and the body is of the
/// shape the route names.
///
/// @param places the values in the path, by name
/// @param body an empty object where the route takes none
/// @param revocations end what is under way for the caller
public record RouteRequest(
        Caller caller,
        Exchange exchange,
        Map<String, String> places,
        ObjectNode body,
        Revocations revocations) {
    public RouteRequest {
        places = Map.copyOf(places);
    }

    /// Begins an answer that ends with the caller's key at the latest.
    public OutStream stream(int status, Map<String, String> headers) {
        var out = exchange.stream(status, headers);
        revocations.register(caller.id(), () -> out.closeFor(StreamEnd.KEY_REVOKED), out::onClose);
        return out;
    }

    /// The value at that place of the path.
    public String place(String name) {
        return Objects.requireNonNull(places.get(name));
    }

    /// Empty values count as absent: forms send them.
    public Optional<String> query(String name) {
        return exchange.query(name).filter(value -> !value.isEmpty());
    }

    /// @throws Refusal INVALID_ARGUMENT when it is not a number within the bounds
    public long number(String name, Parameter.Bounds bounds) {
        return query(name).map(text -> number(name, text, bounds)).orElse(bounds.preset());
    }

    private static long number(String name, String text, Parameter.Bounds bounds) {
        try {
            var number = Long.parseLong(text);
            if (number >= bounds.min() && number <= bounds.max()) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new Refusal(
                Reason.INVALID_ARGUMENT,
                "%s must be a number from %d to %d.".formatted(name, bounds.min(), bounds.max()),
                Map.of("parameter", name));
    }

    /// @throws Refusal INVALID_ARGUMENT when it is neither `true` nor `false`
    public boolean flag(String name) {
        return switch (query(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new Refusal(
                            Reason.INVALID_ARGUMENT,
                            name + " must be true or false.",
                            Map.of("parameter", name));
        };
    }

    /// @throws Refusal INVALID_ARGUMENT with the record's own complaint
    public <R extends Record> R body(Class<R> type) {
        try {
            return Records.read(body, type);
        } catch (IllegalArgumentException complaint) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "The body is not valid: " + complaint.getMessage());
        }
    }
}
