package dev.caisson.storage;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Resource URIs of threads, volumes and their files: `caisson://thread/<id>`, and below it
/// `/<path>`; the same for `volume`. Names are percent-encoded.
public final class FileUris {
    private static final String SCHEME = "caisson://";

    /// @param path absent for the thread or the volume itself
    public record Named(FileSpace space, Optional<FilePath> path) {}

    private FileUris() {}

    public static String of(FileSpace space) {
        return SCHEME + space.source().word() + "/" + encoded(space.id());
    }

    public static String of(FileSpace space, FilePath path) {
        return of(space) + "/" + encoded(path.text()).replace("%2F", "/");
    }

    public static String template(Source source) {
        return SCHEME + source.word() + "/{id}/{+path}";
    }

    /// @return empty when it is no resource of ours
    public static Optional<Named> parse(String uri) {
        for (var source : Source.values()) {
            var prefix = SCHEME + source.word() + "/";
            if (uri.startsWith(prefix) && uri.length() > prefix.length()) {
                return named(source, uri.substring(prefix.length()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Named> named(Source source, String rest) {
        var slash = rest.indexOf('/');
        try {
            var space = new FileSpace(source, decoded(slash < 0 ? rest : rest.substring(0, slash)));
            return Optional.of(
                    new Named(
                            space,
                            slash < 0
                                    ? Optional.empty()
                                    : Optional.of(space.path(decoded(rest.substring(slash + 1))))));
        } catch (IllegalArgumentException notEncoded) {
            return Optional.empty();
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
