package dev.caisson.storage;

import dev.caisson.storage.tree.PathText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// URL path of a signed link: `/files/<thread>/<path>` or `/volumes/<name>/<path>`.
///
/// Names are their texts, see [PathText], with whatever web servers and proxies take for more than
/// a letter escaped once more: an id may hold a slash or be `..`.
public record LinkAddress(FileSpace space, FilePath path) {
    /// Nothing, `files`, the thread and the name.
    private static final int LASTING_PARTS = 4;

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

    /// Where a file is in the address of a link without expiry: `/files/<thread>/<name>`, each
    /// escaped once. The name is of one piece, so that what such a link signs, `<thread>/<name>`,
    /// means one file alone, also when the id of the thread has a slash.
    ///
    /// @param raw the path of a request as it came
    /// @return empty when it cannot be such an address
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT when the name is none
    public static Optional<LinkAddress> parseLasting(String raw) {
        var parts = raw.split("/", -1);
        if (parts.length != LASTING_PARTS || !raw.startsWith(prefix(Source.THREAD))) {
            return Optional.empty();
        }
        var space = FileSpace.thread(new String(PathText.bytes(parts[2]), StandardCharsets.UTF_8));
        var name = PathText.bytes(parts[3]);
        return parts[2].isEmpty() || parts[3].isEmpty() || hasSlash(name)
                ? Optional.empty()
                : Optional.of(new LinkAddress(space, space.path(PathText.of(name))));
    }

    private static boolean hasSlash(byte[] name) {
        for (var one : name) {
            if (one == '/') {
                return true;
            }
        }
        return false;
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
