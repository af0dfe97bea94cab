package dev.caisson.sandbox.runners;

import dev.caisson.sandbox.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Manifest of an image runner, which comes as a directory: `runner.yaml` (or `.yml`, `.json`)
/// beside `rootfs/`.
///
/// ```yaml
/// language: python            # or a label: sandbox.language
/// name: python-data           # the directory's name if it is left out
/// entry: /usr/bin/python3     # the interpreter, inside; the language's usual place if left out
/// labels: { sandbox.runner: "true", sandbox.language: python }
/// ```
public record ImageManifest(String name, Language language, String entry, Path root) {
    private static final Logger LOG = LoggerFactory.getLogger(ImageManifest.class);
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final long BYTES_MAX = 64 << 10;

    /// All that can be read; one that cannot is logged and left out.
    static List<ImageManifest> in(Optional<Path> images) throws IOException {
        var all = new ArrayList<ImageManifest>();
        if (images.isPresent() && Files.isDirectory(images.get())) {
            try (var directories = Files.newDirectoryStream(images.get(), Files::isDirectory)) {
                for (var directory : directories) {
                    read(directory).ifPresent(all::add);
                }
            }
        }
        all.sort(Comparator.comparing(ImageManifest::name));
        return all;
    }

    private static Optional<ImageManifest> read(Path directory) throws IOException {
        var file =
                Stream.of("runner.yaml", "runner.yml", "runner.json")
                        .map(directory::resolve)
                        .filter(Files::isRegularFile)
                        .findFirst();
        if (file.isEmpty() || Files.size(file.get()) > BYTES_MAX) {
            return Optional.empty();
        }
        try {
            return parse(directory, YAML.readTree(Files.readString(file.get())));
        } catch (JacksonException malformed) {
            LOG.warn("{} is not a manifest: {}", file.get(), malformed.getOriginalMessage());
            return Optional.empty();
        }
    }

    public static Optional<ImageManifest> parse(Path directory, JsonNode manifest) {
        var labels = manifest.path("labels");
        var word = manifest.path("language").asString(labels.path("sandbox.language").asString(""));
        var language = Language.of(word);
        boolean isRunner =
                manifest.has("language")
                        || "true".equals(labels.path("sandbox.runner").asString(""));
        if (language.isEmpty() || !isRunner) {
            LOG.warn("the image {} names an unknown language: '{}'", directory, word);
            return Optional.empty();
        }
        var usual = Interpreter.of(language.get()).paths().getFirst();
        return Optional.of(
                new ImageManifest(
                        manifest.path("name").asString(String.valueOf(directory.getFileName())),
                        language.get(),
                        manifest.path("entry").asString(usual),
                        directory.resolve("rootfs")));
    }
}
