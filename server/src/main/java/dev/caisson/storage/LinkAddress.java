package dev.caisson.storage;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Where a file is in the address of a link: `/files/<thread>/<path>` or `/volumes/<name>/<path>`.
///
/// Names are their texts, see [PathText], with whatever web servers and proxies take for more than
/// a letter escaped once more: an id may hold a slash or be `..`.
public record LinkAddress(FileSpace space, FilePath path) {
    /// @param decoded the path of a request, percent signs decoded once
    /// @return empty when it cannot be the address of a file
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT when the path is none
    public static Optional<LinkAddress> parse(String decoded) {
        for (var source : Source.values()) {
            var prefix = prefix(source);
            var slash = decoded.indexOf('/', prefix.length());
            if (decoded.startsWith(prefix) && slash > prefix.length()) {
                var id =
                        new String(
                                PathText.bytes(decoded.substring(prefix.length(), slash)),
                                StandardCharsets.UTF_8);
                var space = new FileSpace(source, id);
                return Optional.of(
                        new LinkAddress(space, space.path(decoded.substring(slash + 1))));
            }
        }
        return Optional.empty();
    }

    /// As it stands in a URL.
    public String text() {
        var id = PathText.of(space.id().getBytes(StandardCharsets.UTF_8)).replace("/", "%2F");
        return prefix(space.source())
                + encoded(isDots(id) ? id.replace(".", "%2E") : id)
                + "/"
                + encoded(path.text()).replace("%2F", "/");
    }

    private static boolean isDots(String id) {
        return id.equals(".") || id.equals("..");
    }

    private static String prefix(Source source) {
        return switch (source) {
            case THREAD -> "/files/";
            case VOLUME -> "/volumes/";
        };
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text.replace("\\", "%5C"), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }
}
