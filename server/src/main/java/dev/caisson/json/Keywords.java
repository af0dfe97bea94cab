package dev.caisson.json;

import java.lang.reflect.RecordComponent;
import tools.jackson.databind.node.ObjectNode;

/// Schema keywords that the annotations of a component add to its type.
final class Keywords {
    private Keywords() {}

    static ObjectNode of(RecordComponent component, ObjectNode schema) {
        var describe = component.getAnnotation(Describe.class);
        if (describe != null) {
            schema.put("description", describe.value());
        }
        var length = component.getAnnotation(Length.class);
        if (length != null) {
            addLength(schema, length);
        }
        var range = component.getAnnotation(Range.class);
        if (range != null) {
            addBound(schema, "minimum", range.min());
            addBound(schema, "maximum", range.max());
        }
        var matches = component.getAnnotation(Matches.class);
        if (matches != null) {
            schema.put("pattern", matches.value());
        }
        var bytes = component.getAnnotation(MaxBytes.class);
        if (bytes != null) {
            schema.put(MaxBytes.KEYWORD, bytes.value());
        }
        if (component.isAnnotationPresent(OrWhole.class)) {
            schema.putArray("type").add("string").add("integer");
        }
        var except = component.getAnnotation(Except.class);
        if (except != null) {
            schema.withArrayProperty("enum")
                    .removeIf(word -> word.asString().equals(except.value()));
        }
        return schema;
    }

    private static void addLength(ObjectNode schema, Length length) {
        var what =
                switch (schema.path("type").asString()) {
                    case "array" -> "Items";
                    case "object" -> "Properties";
                    default -> "Length";
                };
        if (length.min() > 0) {
            schema.put("min" + what, length.min());
        }
        if (length.max() < Integer.MAX_VALUE) {
            schema.put("max" + what, length.max());
        }
    }

    /// A whole bound is written as a whole number.
    private static void addBound(ObjectNode schema, String keyword, double bound) {
        if (Double.isInfinite(bound)) {
            return;
        }
        if (bound == Math.rint(bound)) {
            schema.put(keyword, (long) bound);
        } else {
            schema.put(keyword, bound);
        }
    }
}
