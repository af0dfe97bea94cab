package dev.caisson.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Configuration in force: the records it was bound to, and where each value came from.
public record Effective(Record root, List<Line> lines) {
    /// One key for a person to read.
    ///
    /// @param value as it was written; of a secret only whether it is set
    public record Line(String key, String value, Origin origin, boolean secret) {}

    public Effective {
        lines = List.copyOf(lines);
    }

    /// Reads everything.
    ///
    /// @param root the record that all others are below
    /// @throws Mistakes with all that is wrong, when anything is
    public static Effective read(Class<? extends Record> root, Sources sources) throws Mistakes {
        var declarations = Declarations.of(root);
        var given = new ArrayList<Given>();
        var mistakes = new ArrayList<Mistake>();
        sources.chosenFile()
                .map(ConfigFile::read)
                .ifPresent(contents -> {
                    given.addAll(contents.given());
                    mistakes.addAll(contents.mistakes());
                });
        given.addAll(new EnvironmentSource(declarations).read(sources.environment()));
        given.addAll(sources.flags());

        var usual = Map.of("data.directory", sources.usualData().toString());
        var values = new Values(declarations, usual, given, mistakes);
        var bound = new Binder(values).bind(root);
        if (bound.isEmpty() || !values.mistakes().isEmpty()) {
            throw new Mistakes(values.mistakes());
        }
        return new Effective(bound.get(), lines(values));
    }

    /// @param type of the record it was read for
    public <R extends Record> R as(Class<R> type) {
        return type.cast(root);
    }

    private static List<Line> lines(Values values) {
        return Stream.concat(
                        values.declarations().all().stream().map(setting -> line(values, setting)),
                        values.inFamilies().stream().map(given -> line(values, given)))
                .toList();
    }

    /// A key whose name an operator chose.
    private static Line line(Values values, Given given) {
        var family = values.declarations().familyOf(given.key()).orElseThrow();
        var path = given.key().substring(family.name().length() + 1);
        boolean secret =
                family.member(path.substring(path.indexOf('.') + 1))
                        .orElseThrow()
                        .setting()
                        .secret();
        return new Line(given.key(), secret ? "(set)" : given.text(), given.origin(), secret);
    }

    private static Line line(Values values, Setting setting) {
        var winner = values.winner(setting);
        var secret = winner.text().isBlank() ? "(not set)" : "(set)";
        return new Line(
                setting.name(),
                setting.secret() ? secret : winner.text(),
                winner.origin(),
                setting.secret());
    }
}
