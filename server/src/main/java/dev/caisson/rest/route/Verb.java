package dev.caisson.rest.route;

import java.util.Locale;
import java.util.Optional;

/// HTTP method of a route.
enum Verb {
    GET,
    POST,
    PUT,
    DELETE;

    /// As the document has it.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// A `HEAD` is a `GET` whose body is not sent.
    static Optional<Verb> of(String method) {
        return switch (method) {
            case "GET", "HEAD" -> Optional.of(GET);
            case "POST" -> Optional.of(POST);
            case "PUT" -> Optional.of(PUT);
            case "DELETE" -> Optional.of(DELETE);
            default -> Optional.empty();
        };
    }

    /// As the header `Allow` has it.
    String allowed() {
        return this == GET ? "GET, HEAD" : name();
    }
}
