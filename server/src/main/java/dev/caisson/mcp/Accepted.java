package dev.caisson.mcp;

import dev.caisson.http.Exchange;
import java.util.List;
import java.util.Locale;

/// Which kinds of answers a client takes.
record Accepted(boolean json, boolean stream) {
    static final String JSON = "application/json";
    static final String STREAM = "text/event-stream";

    /// @param unsaid what a request without the header takes
    static Accepted of(Exchange exchange, Accepted unsaid) {
        var headers = exchange.headers("Accept");
        if (headers.isEmpty()) {
            return unsaid;
        }
        var types = String.join(",", headers).toLowerCase(Locale.ROOT).split(",", -1);
        var plain = List.of(types).stream().map(Accepted::withoutParameters).toList();
        var any = plain.contains("*/*");
        return new Accepted(
                any || plain.contains(JSON) || plain.contains("application/*"),
                any || plain.contains(STREAM) || plain.contains("text/*"));
    }

    private static String withoutParameters(String type) {
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
    }

    boolean both() {
        return json && stream;
    }

    boolean neither() {
        return !json && !stream;
    }
}
