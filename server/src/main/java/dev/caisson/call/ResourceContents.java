package dev.caisson.call;

/// Contents of a resource.
public sealed interface ResourceContents {
    String uri();

    String mimeType();

    record Text(String uri, String mimeType, String text) implements ResourceContents {}

    /// @param blob base64
    record Blob(String uri, String mimeType, String blob) implements ResourceContents {}
}
