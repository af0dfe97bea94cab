package dev.caisson.broker;

import dev.caisson.json.Schema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Schema that is compiled when a value is first checked: of hundreds of tools few are called.
final class LazySchema {
    private final ObjectNode source;
    private volatile @Nullable Schema compiled;

    LazySchema(ObjectNode source) {
        this.source = source;
    }

    Schema get() {
        var known = compiled;
        if (known == null) {
            known = Schema.of(source);
            compiled = known;
        }
        return known;
    }
}
