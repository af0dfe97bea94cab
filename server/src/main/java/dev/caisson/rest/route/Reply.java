package dev.caisson.rest.route;

import java.util.List;
import java.util.Optional;

/// An answer of a route that is not an error.
///
/// @param types in which it can come; the first when nothing is asked for
/// @param shape of the JSON; empty when there is no body or another kind of one
public record Reply(int status, String summary, List<String> types, Optional<BodyShape> shape) {
    public static final String JSON = "application/json";

    public Reply {
        types = List.copyOf(types);
    }

    public static Reply json(int status, BodyShape shape) {
        return new Reply(status, "Done.", List.of(JSON), Optional.of(shape));
    }

    public static Reply empty(int status) {
        return new Reply(status, "Done.", List.of(), Optional.empty());
    }
}
