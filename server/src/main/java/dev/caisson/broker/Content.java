package dev.caisson.broker;

import java.util.Optional;

/// One item of what a tool or a prompt hands back.
public sealed interface Content {
    record Text(String text) implements Content {}

    /// @param data base64
    record Image(String data, String mimeType) implements Content {}

    /// @param data base64
    record Audio(String data, String mimeType) implements Content {}

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
