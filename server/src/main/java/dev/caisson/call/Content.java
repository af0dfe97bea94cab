package dev.caisson.call;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Content item of a result or of a prompt.
public sealed interface Content {
    record Text(String text) implements Content {}

    /// @param data base64
    record Image(String data, String mimeType) implements Content {}

    /// @param data base64
    record Audio(String data, String mimeType) implements Content {}

    /// A whole result as one item, of a type the protocol does not know. Only clients that were
    /// written for it can read it.
    record Output(ObjectNode data) implements Content {}

    /// Content that is carried along.
    record Embedded(ResourceContents resource) implements Content {}

    /// Content that can be fetched.
    record Link(
            String uri,
            String name,
            Optional<String> description,
            Optional<String> mimeType,
            Optional<Long> size)
            implements Content {}

    static Content text(String text) {
        return new Text(text);
    }
}
