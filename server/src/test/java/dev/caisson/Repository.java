package dev.caisson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The files of the repository, for tests that compare them with the product.
public final class Repository {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Repository() {}

    /// The directory of the build that a class was loaded from.
    public static Path classes(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String text(String file) {
        try {
            return Files.readString(ROOT.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The rows of the table under a heading, without its head: the cells of each.
    static List<List<String>> table(String document, String heading) {
        var section = text(document).split("(?m)^## " + Pattern.quote(heading) + "$", 2)[1];
        return section.split("(?m)^## ", 2)[0]
                .lines()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> List.of(line.substring(1).strip().split("\\s*\\|\\s*")))
                .toList();
    }

    /// What stands in backquotes in a text.
    static List<String> quoted(String text) {
        return Pattern.compile("`([^`]+)`").matcher(text).results().map(m -> m.group(1)).toList();
    }

    static List<Path> files(String directory, String ending) {
        try (var files = Files.walk(ROOT.resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// A file's name without its ending.
    static String stem(Path file) {
        return Optional.ofNullable(file.getFileName())
                .map(name -> name.toString().replaceFirst("\\.[a-z]+$", ""))
                .orElseThrow();
    }
}
