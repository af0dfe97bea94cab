package dev.caisson.config;

import java.util.ArrayList;
import java.util.List;

/// The configuration in force, and where each value came from.
public record Effective(Config config, List<Line> lines) {
    /// One key for a person to read.
    ///
    /// @param value as it was written; of a secret only whether it is set
    public record Line(String key, String value, Origin origin, boolean secret) {}

    public Effective {
        lines = List.copyOf(lines);
    }

    /// Reads everything.
    ///
    /// @throws Mistakes with all that is wrong, when anything is
    public static Effective read(Sources sources) throws Mistakes {
        var given = new ArrayList<Given>();
        var mistakes = new ArrayList<Mistake>();
        sources.chosenFile()
                .map(ConfigFile::read)
                .ifPresent(contents -> {
                    given.addAll(contents.given());
                    mistakes.addAll(contents.mistakes());
                });
        given.addAll(Environment.read(sources.environment()));
        given.addAll(sources.flags());

        var values = new Values(sources, given, mistakes);
        var config = Sections.config(values);
        if (config.isEmpty() || !values.mistakes().isEmpty()) {
            throw new Mistakes(values.mistakes());
        }
        return new Effective(config.get(), lines(values));
    }

    private static List<Line> lines(Values values) {
        return Settings.ALL.stream().map(setting -> line(values, setting)).toList();
    }

    private static Line line(Values values, Setting<?> setting) {
        var winner = values.winner(setting);
        var secret = winner.text().isBlank() ? "(not set)" : "(set)";
        return new Line(
                setting.name(),
                setting.secret() ? secret : winner.text(),
                winner.origin(),
                setting.secret());
    }
}
