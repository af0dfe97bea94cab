package dev.caisson.cli;

import dev.caisson.json.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Options of the commands that make the entry of an upstream.
final class UpstreamEntryOptions {
    private static final int HTTPS = 443;

    @Option(names = "--title", paramLabel = "TEXT", description = "For people.")
    Optional<String> title = Optional.empty();

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable of the program; a secret one as NAME=$${secret:NAME}.")
    Map<String, String> env = new LinkedHashMap<>();

    @Option(
            names = "--allow",
            paramLabel = "HOST[:PORT]",
            description =
                    "A host that the program may reach, such as api.example.org; port 443 if none is"
                            + " named. *.example.org is all names below.")
    List<String> allow = new ArrayList<>();

    @Option(names = "--trust", description = "Believes what it says of the effects of its tools.")
    boolean trust;

    @Option(
            names = "--review",
            paramLabel = "WORD",
            description = "Who decides on definitions: first, manual or auto.")
    Optional<String> review = Optional.empty();

    @Option(
            names = "--per",
            paramLabel = "WORD",
            description = "Who has a connection: shared, or caller for one each.")
    Optional<String> per = Optional.empty();

    @Option(
            names = "--entry",
            paramLabel = "YAML",
            description =
                    "More of its entry, as in the file of upstreams.file, such as 'limits: {call: 2m}'.")
    Optional<String> more = Optional.empty();

    void into(@Nullable CommandSpec spec, ObjectNode entry) {
        more.ifPresent(text -> entry.setAll(written(spec, text)));
        title.ifPresent(text -> entry.put("title", text));
        if (trust) {
            entry.put("trust", "trusted");
        }
        per.ifPresent(word -> entry.put("per", word));
        review.ifPresent(word -> entry.put("review", word));
        if (!env.isEmpty()) {
            env.forEach(entry.putObject("env")::put);
        }
        if (!allow.isEmpty()) {
            var allowed = entry.putObject("network").putArray("allow");
            for (var word : allow) {
                int colon = word.lastIndexOf(':');
                var port = colon < 0 ? "" + HTTPS : word.substring(colon + 1);
                if (!port.matches("\\d{1,5}")) {
                    throw CommandOutput.mistyped(
                            spec, "A host is written as HOST or HOST:PORT, without https://.");
                }
                allowed.addObject()
                        .put("host", colon < 0 ? word : word.substring(0, colon))
                        .putArray("ports")
                        .add(Integer.parseInt(port));
            }
        }
    }

    private static ObjectNode written(@Nullable CommandSpec spec, String text) {
        try {
            if (Yaml.parse(text).tree() instanceof ObjectNode map) {
                return map;
            }
        } catch (Yaml.Malformed wrong) {
            throw CommandOutput.mistyped(spec, "The text of --entry " + wrong.problem() + ".");
        }
        throw CommandOutput.mistyped(spec, "Write --entry as a map, such as 'learn: true'.");
    }
}
