package dev.caisson.config;

import java.util.List;
import java.util.stream.Collectors;

/// Exception with all mistakes in the configuration at once.
public final class Mistakes extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Mistake> all;

    Mistakes(List<Mistake> all) {
        super(
                all.stream()
                        .map(mistake -> "  - " + mistake.sentence())
                        .collect(Collectors.joining("\n")),
                null,
                false,
                false);
        this.all = List.copyOf(all);
    }

    public List<Mistake> all() {
        return all;
    }

    /// A heading and one line for each mistake.
    public String text() {
        var heading =
                all.size() == 1
                        ? "There is a mistake in the configuration:"
                        : "There are " + all.size() + " mistakes in the configuration:";
        return heading + "\n" + getMessage();
    }
}
