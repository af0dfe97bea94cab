package dev.caisson.rest.route;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A path with places for values, such as `/v1/executions/{id}/output`. A place takes exactly one
/// segment, and never an empty one.
record PathTemplate(String text, List<String> segments) {
    static PathTemplate of(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash: " + text);
        }
        return new PathTemplate(text, split(text));
    }

    PathTemplate {
        segments = List.copyOf(segments);
    }

    /// The names of the places, in their order.
    List<String> names() {
        return segments.stream().filter(PathTemplate::isPlace).map(PathTemplate::name).toList();
    }

    /// The values of the places, by name.
    Optional<Map<String, String>> match(String path) {
        var given = split(path);
        if (given.size() != segments.size()) {
            return Optional.empty();
        }
        var values = new LinkedHashMap<String, String>();
        for (var i = 0; i < given.size(); i++) {
            var wanted = segments.get(i);
            if (isPlace(wanted) && !given.get(i).isEmpty()) {
                values.put(name(wanted), given.get(i));
            } else if (!wanted.equals(given.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }

    private static List<String> split(String path) {
        return Arrays.asList(path.substring(1).split("/", -1));
    }

    private static boolean isPlace(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static String name(String place) {
        return place.substring(1, place.length() - 1);
    }
}
