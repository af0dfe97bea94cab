package dev.caisson.rest.files;

import dev.caisson.storage.PortableName;
import dev.caisson.storage.StoredFile;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Response headers of a file that a program made, for a browser: with its type, but so that
/// nothing in it runs. What could is offered to be saved, and is in a sandbox without rights if
/// shown all the same.
public final class FileHeaders {
    private static final Set<String> SHOWN =
            Set.of(
                    "image/png",
                    "image/jpeg",
                    "image/gif",
                    "image/webp",
                    "text/plain",
                    "text/csv",
                    "text/markdown",
                    "application/json",
                    "audio/mpeg",
                    "audio/wav",
                    "video/mp4");
    private static final String POLICY = "default-src 'none'; sandbox";

    private FileHeaders() {}

    public static Map<String, String> of(StoredFile file) {
        var type = file.mediaType().orElse("application/octet-stream");
        var headers = new HashMap<>(attachment(file.path().name(), !SHOWN.contains(type)));
        headers.put("Content-Type", type.startsWith("text/") ? type + "; charset=utf-8" : type);
        headers.put("ETag", tag(file));
        headers.put("Accept-Ranges", "bytes");
        headers.put("Cache-Control", "private, no-cache");
        return headers;
    }

    public static String tag(StoredFile file) {
        return '"' + file.tag() + '"';
    }

    /// What holds for everything a program made.
    static Map<String, String> attachment(String name, boolean saved) {
        return Map.of(
                "Content-Disposition",
                disposition(name, saved),
                "X-Content-Type-Options",
                "nosniff",
                "Content-Security-Policy",
                POLICY,
                "Referrer-Policy",
                "no-referrer");
    }

    /// The name twice, as every system can take it: in letters every client reads, and whole.
    static String disposition(String given, boolean saved) {
        var name = PortableName.of(given);
        var plain = name.replaceAll("[^A-Za-z0-9 ._()+,=@~-]", "_");
        var exact =
                URLEncoder.encode(name, StandardCharsets.UTF_8)
                        .replace("+", "%20")
                        .replace("*", "%2A");
        return "%s; filename=\"%s\"; filename*=UTF-8''%s"
                .formatted(saved ? "attachment" : "inline", plain, exact);
    }
}
