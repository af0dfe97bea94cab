package dev.caisson.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/// YAML file as a source of the configuration. Nested maps and dotted names mean the same, and
/// every value knows its line.
///
/// ```yaml
/// http:
///   port: 8080
///   allowed_hosts: [caisson.example.org]
/// auth.failures_max: 5
/// ```
final class ConfigFile {
    /// More than this is no configuration.
    static final int BYTES_MAX = 1 << 20;

    private final Path file;
    private final List<Given> given = new ArrayList<>();
    private final List<Mistake> mistakes = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private ConfigFile(Path file) {
        this.file = file;
    }

    record Contents(List<Given> given, List<Mistake> mistakes) {}

    static Contents read(Path file) {
        var reading = new ConfigFile(file);
        reading.read();
        return new Contents(reading.given, reading.mistakes);
    }

    private void read() {
        try {
            if (Files.size(file) > BYTES_MAX) {
                unusable(1, "is larger than " + BYTES_MAX + " bytes", "Give a smaller file.");
                return;
            }
            walk(Files.readString(file));
        } catch (NoSuchFileException _) {
            unusable(1, "does not exist", "Create it, or leave out --config.");
        } catch (IOException _) {
            unusable(1, "cannot be read", "Give a readable file of UTF-8 text.");
        } catch (JacksonException wrong) {
            unusable(
                    Optional.ofNullable(wrong.getLocation())
                            .map(location -> Math.max(1, location.getLineNr()))
                            .orElse(1),
                    "is not valid YAML",
                    "Correct the line; see docs/configuration.md for an example.");
        }
    }

    private void walk(String text) {
        try (var parser = new YAMLFactory().createParser(ObjectReadContext.empty(), text)) {
            var first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                object(parser, "");
            } else if (first != null && first != JsonToken.VALUE_NULL) {
                unusable(line(parser), "is not a map of keys", "Write lines such as http.port: 1.");
            }
            if (first != null && parser.nextToken() != null) {
                unusable(line(parser), "has a second document", "Keep one document in the file.");
            }
        }
    }

    private void object(JsonParser parser, String prefix) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            value(parser, prefix + parser.currentName());
        }
    }

    private void value(JsonParser parser, String key) {
        var line = line(parser);
        var token = parser.nextToken();
        if (token == JsonToken.START_OBJECT) {
            object(parser, key + ".");
        } else if (!seen.add(key)) {
            parser.skipChildren();
            mistake(key, line, "is written twice", "Keep one of the two lines.");
        } else if (token == JsonToken.START_ARRAY) {
            list(parser, key, line);
        } else if (token != JsonToken.VALUE_NULL) {
            add(key, parser.getString(), line);
        }
    }

    private void list(JsonParser parser, String key, int line) {
        var items = new ArrayList<String>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (!parser.currentToken().isScalarValue() || parser.getString().contains(",")) {
                parser.skipChildren();
                mistake(key, line, "has an item that is no plain name", "List plain names.");
                continue;
            }
            items.add(parser.getString());
        }
        add(key, String.join(",", items), line);
    }

    private void add(String key, String text, int line) {
        given.add(new Given(key, text, new Origin.ConfigFile(file, line)));
    }

    private void unusable(int line, String problem, String remedy) {
        mistake("The file", line, problem, remedy);
    }

    private void mistake(String key, int line, String problem, String remedy) {
        mistakes.add(
                new Mistake(
                        key, Optional.empty(), new Origin.ConfigFile(file, line), problem, remedy));
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }
}
