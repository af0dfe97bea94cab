package dev.caisson.config;

/// Values that are each fine but do not fit together. Thrown by the records of [Config], which
/// check themselves; becomes a [Mistake].
final class Contradiction extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient Setting<?> setting;
    private final String problem;
    private final String remedy;

    /// @param setting the key to name
    Contradiction(Setting<?> setting, String problem, String remedy) {
        super(setting.name() + " " + problem + ". " + remedy);
        this.setting = setting;
        this.problem = problem;
        this.remedy = remedy;
    }

    Setting<?> setting() {
        return setting;
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
