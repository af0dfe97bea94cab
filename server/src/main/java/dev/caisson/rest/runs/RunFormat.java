package dev.caisson.rest.runs;

import dev.caisson.http.Exchange;
import dev.caisson.json.Json;
import dev.caisson.rest.route.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Format of the answer about a run: JSON, NDJSON or server-sent events.
public enum RunFormat {
    /// The result alone, once it is there.
    JSON(Reply.JSON),
    /// One object per line, as things happen.
    NDJSON("application/x-ndjson"),
    /// The same as server-sent events.
    SSE("text/event-stream");

    private final String type;

    RunFormat(String type) {
        this.type = type;
    }

    public String type() {
        return type;
    }

    /// The first that the client names; the result alone when it names none.
    public static RunFormat of(Exchange exchange) {
        return exchange.headers("Accept").stream()
                .flatMap(header -> Arrays.stream(header.split(",", -1)))
                .map(RunFormat::named)
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(JSON);
    }

    private static Optional<RunFormat> named(String range) {
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
