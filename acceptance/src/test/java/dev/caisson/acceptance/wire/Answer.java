package dev.caisson.acceptance.wire;

import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The head of an HTTP answer, and its body as a stream that has been freed of its framing.
///
/// @param headers by lower-case name
public record Answer(int status, Map<String, List<String>> headers, InputStream body) {
    public Optional<String> header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
    }

    public boolean isEvents() {
        return header("content-type").orElse("").startsWith("text/event-stream");
    }
}
