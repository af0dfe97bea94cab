package dev.caisson.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Static files of the console, listed by the build. The build puts them beside this class, with
/// `files.txt`, which has the path of each on a line of its own. A name that is not listed is not
/// served, whatever it looks like, so no request can reach another file of the class path.
final class Site {
    private static final String LIST = "files.txt";

    private final Map<String, SiteFile> files;

    private Site(Map<String, SiteFile> files) {
        this.files = Map.copyOf(files);
    }

    /// What the build put into the jar; empty when it could not build the console.
    static Site built() {
        return of(name -> Site.class.getResourceAsStream("site/" + name));
    }

    /// @param open finds a file by its path, or nothing
    static Site of(Function<String, @Nullable InputStream> open) {
        var listed =
                read(open, LIST)
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8).lines().toList())
                        .orElse(List.of());
        var files = new HashMap<String, SiteFile>();
        for (var name : listed) {
            if (isPlain(name)) {
                files.put(name, new SiteFile(name, forms(open, name, Set.copyOf(listed))));
            }
        }
        return new Site(files);
    }

    Optional<SiteFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    Set<String> names() {
        return files.keySet();
    }

    private static boolean isPlain(String name) {
        return Arrays.stream(Coding.values())
                .noneMatch(coding -> coding != Coding.NONE && name.endsWith(coding.suffix()));
    }

    private static Map<Coding, byte[]> forms(
            Function<String, @Nullable InputStream> open, String name, Set<String> listed) {
        var forms = new EnumMap<Coding, byte[]>(Coding.class);
        for (var coding : Coding.values()) {
            var packed = name + coding.suffix();
            if (listed.contains(packed)) {
                forms.put(
                        coding,
                        read(open, packed)
                                .orElseThrow(
                                        () -> new IllegalStateException(packed + " is missing")));
            }
        }
        return forms;
    }

    private static Optional<byte[]> read(
            Function<String, @Nullable InputStream> open, String name) {
        try (var stream = open.apply(name)) {
            return stream == null ? Optional.empty() : Optional.of(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
