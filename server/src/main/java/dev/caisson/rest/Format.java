package dev.caisson.rest;

import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// In which form somebody wants to see a run.
enum Format {
    /// The result alone, once it is there.
    JSON(Reply.JSON),
    /// One object per line, as things happen.
    NDJSON("application/x-ndjson"),
    /// The same as server-sent events.
    SSE("text/event-stream");

    private final String type;

    Format(String type) {
        this.type = type;
    }

    String type() {
        return type;
    }

    /// The first that the client names; the result alone when it names none.
    static Format of(Exchange exchange) {
        return exchange.headers("Accept").stream()
                .flatMap(header -> Arrays.stream(header.split(",", -1)))
                .map(Format::named)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(JSON);
    }

    private static Optional<Format> named(String range) {
        var semicolon = range.indexOf(';');
        var name = (semicolon < 0 ? range : range.substring(0, semicolon)).strip();
        return Arrays.stream(values())
                .filter(format -> format.type.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /// One event on the wire.
    ///
    /// @param number of the event in its stream
    byte[] frame(ObjectNode event, long number) {
        var json = Json.text(event);
        var text =
                switch (this) {
                    case JSON, NDJSON -> json + "\n";
                    case SSE ->
                            "id: %d\nevent: %s\ndata: %s\n\n"
                                    .formatted(number, event.path("event").stringValue(), json);
                };
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
