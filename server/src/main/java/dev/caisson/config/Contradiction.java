package dev.caisson.config;

/// Mistake in how several configuration values fit together, each of which is fine alone. The
/// records that take the values throw it from their constructors; it becomes a [Mistake].
public final class Contradiction extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String problem;
    private final String remedy;

    /// @param key the name of the key to change
    /// @param problem what is wrong, as a clause
    /// @param remedy what to do, as a sentence
    public Contradiction(String key, String problem, String remedy) {
        super(key + " " + problem + ". " + remedy);
        this.key = key;
        this.problem = problem;
        this.remedy = remedy;
    }

    String key() {
        return key;
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
