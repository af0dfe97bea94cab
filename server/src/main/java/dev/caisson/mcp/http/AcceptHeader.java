package dev.caisson.mcp.http;

import dev.caisson.http.Exchange;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Parsed `Accept` header: the kinds of answers a client takes.
///
/// A stream is an answer only for a client that names it: one that takes anything, or says nothing,
/// is a person with a command line more often than not, and gets plain JSON.
///
/// @param stream whether it names event streams
/// @param anything whether it takes whatever comes
public record AcceptHeader(boolean json, boolean stream, boolean anything) {
    static final String JSON = "application/json";
    static final String STREAM = "text/event-stream";

    private static final AcceptHeader UNSAID = new AcceptHeader(true, false, true);

    public static AcceptHeader of(Exchange exchange) {
        var headers = exchange.headers("Accept");
        return headers.isEmpty() ? UNSAID : of(String.join(",", headers));
    }

    public static AcceptHeader of(String header) {
        var types =
                Arrays.stream(header.toLowerCase(Locale.ROOT).split(",", -1))
                        .filter(type -> !refused(type))
                        .map(AcceptHeader::withoutParameters)
                        .collect(Collectors.toSet());
        var anything = types.contains("*/*");
        return new AcceptHeader(
                anything || hasOneOf(types, JSON, "application/*"),
                hasOneOf(types, STREAM, "text/*"),
                anything);
    }

    private static boolean hasOneOf(Set<String> types, String first, String second) {
        return types.contains(first) || types.contains(second);
    }

    private static boolean refused(String type) {
        return type.replace(" ", "").matches(".*;q=0(\\.0*)?(;.*)?");
    }

    private static String withoutParameters(String type) {
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip();
    }

    /// Whether it takes both kinds, as the modern revision demands.
    boolean both() {
        return json && (stream || anything);
    }

    /// Whether a stream is fine where nothing else can be the answer.
    public boolean streamAtAll() {
        return stream || anything;
    }

    public boolean neither() {
        return !json && !stream;
    }
}
