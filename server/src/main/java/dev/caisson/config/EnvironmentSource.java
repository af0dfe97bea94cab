package dev.caisson.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Environment variables as a source of the configuration: `CAISSON_` and the key in capitals, and
/// a few names other servers use. Where two variables set one key, the one that begins with
/// `CAISSON_` wins.
final class EnvironmentSource {
    /// Variables that begin like a key but are not one: the file's own path, the options the
    /// launcher passes to the Java machine, and the address and key that clients read.
    static final Set<String> NOT_KEYS =
            Set.of("CAISSON_CONFIG", "CAISSON_JVM_OPTIONS", "CAISSON_URL", "CAISSON_KEY");

    private final Declarations declarations;

    EnvironmentSource(Declarations declarations) {
        this.declarations = declarations;
    }

    /// From the weakest to the strongest.
    List<Given> read(Map<String, String> environment) {
        var weak = new ArrayList<Given>();
        var strong = new ArrayList<Given>();
        for (var entry : new TreeMap<>(environment).entrySet()) {
            var origin = new Origin.Environment(entry.getKey());
            var text = entry.getValue();
            if (entry.getKey().equals("MCP_HTTP_ADDR")) {
                weak.addAll(address(text, origin));
            } else if (entry.getKey().startsWith("CAISSON_")) {
                if (!NOT_KEYS.contains(entry.getKey())) {
                    strong.add(new Given(keyOf(entry.getKey()), text, origin));
                }
            } else {
                aliased(entry.getKey())
                        .ifPresent(setting -> weak.add(new Given(setting.name(), text, origin)));
            }
        }
        weak.addAll(strong);
        return weak;
    }

    private String keyOf(String variable) {
        return declarations.all().stream()
                .filter(setting -> setting.variable().equals(variable))
                .map(Setting::name)
                .findFirst()
                .orElse(variable);
    }

    private Optional<Setting> aliased(String variable) {
        return declarations.all().stream()
                .filter(setting -> setting.alsoRead().contains(variable))
                .findFirst();
    }

    /// `host:port`, `[v6]:port`, or `:port` for every address of the machine.
    private static List<Given> address(String text, Origin origin) {
        var colon = text.lastIndexOf(':');
        if (colon < 0) {
            return List.of(new Given("http.port", text, origin));
        }
        var host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
        return List.of(
                new Given("http.host", host.isEmpty() ? "0.0.0.0" : host, origin),
                new Given("http.port", text.substring(colon + 1), origin));
    }
}
