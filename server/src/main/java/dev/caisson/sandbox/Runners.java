package dev.caisson.sandbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What programs can be written in here, as found at one moment.
public final class Runners {
    static final Runners NONE = new Runners(Map.of(), List.of());

    private final Map<Runner, Boot> boots;
    private final List<Runner.Missing> missing;

    Runners(Map<Runner, Boot> boots, List<Runner.Missing> missing) {
        this.boots = new LinkedHashMap<>(boots);
        this.missing = List.copyOf(missing);
    }

    /// Those that work, the host's own first.
    public List<Runner> available() {
        return List.copyOf(boots.keySet());
    }

    /// Those that do not, each with what to do about it.
    public List<Runner.Missing> missing() {
        return missing;
    }

    public Optional<Runner> named(String name) {
        return boots.keySet().stream().filter(runner -> runner.name().equals(name)).findFirst();
    }

    /// The first for a language.
    public Optional<Runner> of(Language language) {
        return boots.keySet().stream().filter(runner -> runner.language() == language).findFirst();
    }

    Optional<Boot> boot(Runner runner) {
        return Optional.ofNullable(boots.get(runner));
    }
}
