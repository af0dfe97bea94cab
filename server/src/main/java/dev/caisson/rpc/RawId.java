package dev.caisson.rpc;

import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.util.RawValue;

/// Finds the digits of an id such as `1e2`, which a parsed number no longer has, so that it can be
/// given back as it came. Only such ids cost this second look.
final class RawId {
    private static final JsonFactory FACTORY = new JsonFactory();

    private RawId() {}

    /// @param bytes a JSON object that was parsed before and has a number as its `id`
    static JsonNode of(byte[] bytes) {
        try (var parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                var found = "id".equals(parser.currentName());
                parser.nextToken();
                if (found) {
                    return JsonNodeFactory.instance.rawValueNode(new RawValue(parser.getString()));
                }
                parser.skipChildren();
            }
        }
        throw new IllegalStateException("the id is gone");
    }
}
