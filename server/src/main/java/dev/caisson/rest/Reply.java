package dev.caisson.rest;

import java.util.List;
import java.util.Optional;

/// An answer of a route that is not an error.
///
/// @param types in which it can come; the first when nothing is asked for
/// @param shape of the JSON; empty when there is no body or another kind of one
record Reply(int status, String summary, List<String> types, Optional<Shape> shape) {
    static final String JSON = "application/json";

    Reply {
        types = List.copyOf(types);
    }

    static Reply json(int status, Shape shape) {
        return new Reply(status, "Done.", List.of(JSON), Optional.of(shape));
    }

    static Reply empty(int status) {
        return new Reply(status, "Done.", List.of(), Optional.empty());
    }
}
