package dev.caisson.door;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files of modules and of views on disk, in a directory of this process. Modules lie in
/// directories named by their hash; a view has hard links to those of its modules.
final class ViewFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ViewFiles.class);

    /// What makes Node take the files for modules.
    private static final String PACKAGE = "{\"type\":\"module\"}\n";

    private final Path shared;
    private final Map<String, Long> modules = new HashMap<>();
    private Optional<ProcessDirectory> own = Optional.empty();

    ViewFiles(Path shared) {
        this.shared = shared;
    }

    static long bytes(Map<String, String> texts) {
        return texts.values().stream()
                .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    boolean has(String module) {
        return modules.containsKey(module);
    }

    long bytes() {
        return modules.values().stream().mapToLong(Long::longValue).sum();
    }

    private Path directory(String kind) throws IOException {
        if (own.isEmpty()) {
            var made = ProcessDirectory.under(shared);
            own = Optional.of(made);
            makeDirectory(made.path().resolve("modules"));
            makeDirectory(made.path().resolve("views"));
            write(made.path().resolve("package.json"), PACKAGE);
        }
        return own.get().path().resolve(kind);
    }

    /// @param texts by path; the first part of each is the name of the module
    void putModule(String hash, Map<String, String> texts) throws IOException {
        var directory = directory("modules").resolve(hash);
        remove(directory);
        makeDirectory(directory);
        for (var text : texts.entrySet()) {
            write(directory.resolve(Path.of(text.getKey()).getFileName()), text.getValue());
        }
        modules.put(hash, bytes(texts));
    }

    void removeModule(String hash) throws IOException {
        modules.remove(hash);
        remove(directory("modules").resolve(hash));
    }

    /// @param hashes of its modules by their names
    Path putView(String hash, Map<String, String> hashes) throws IOException {
        var view = directory("views").resolve(hash);
        remove(view);
        makeDirectory(view);
        Files.createLink(view.resolve("package.json"), directory("package.json"));
        for (var module : hashes.entrySet()) {
            var target = makeDirectory(view.resolve(module.getKey()));
            try (var files = Files.list(directory("modules").resolve(module.getValue()))) {
                for (var file : files.toList()) {
                    Files.createLink(target.resolve(file.getFileName()), file);
                }
            }
        }
        return view;
    }

    void removeView(String hash) throws IOException {
        remove(directory("views").resolve(hash));
    }

    /// Programs read them as other users.
    private static Path makeDirectory(Path directory) throws IOException {
        Files.createDirectory(directory);
        return Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    static void remove(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (var all = Files.walk(tree)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    @Override
    public void close() {
        try {
            if (own.isPresent()) {
                own.get().close();
            }
        } catch (IOException failed) {
            LOG.warn("files for programs were not removed: {}", failed.toString());
        }
    }
}
