package dev.caisson.json;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A compiled JSON Schema, 2020-12. Nothing is ever fetched to resolve a reference.
public final class Schema {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    /// More complaints than this help nobody.
    private static final int COMPLAINTS_MAX = 10;

    private final com.networknt.schema.Schema compiled;

    private Schema(com.networknt.schema.Schema compiled) {
        this.compiled = compiled;
    }

    public static Schema of(JsonNode schema) {
        return new Schema(REGISTRY.getSchema(schema));
    }

    /// What is wrong with a value, each naming the member; empty when it conforms.
    public List<String> complaints(JsonNode value) {
        return compiled.validate(value).stream()
                .limit(COMPLAINTS_MAX)
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .toList();
    }
}
