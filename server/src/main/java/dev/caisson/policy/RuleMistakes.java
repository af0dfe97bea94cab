package dev.caisson.policy;

import java.util.List;
import java.util.stream.Collectors;

/// Exception with all mistakes in rules that somebody wrote.
public final class RuleMistakes extends Exception {
    private static final long serialVersionUID = 1L;

    /// More of them help nobody at once.
    static final int SHOWN_MAX = 100;

    private final transient List<RuleMistake> all;

    RuleMistakes(List<RuleMistake> all) {
        super(
                all.stream()
                        .limit(SHOWN_MAX)
                        .map(RuleMistake::sentence)
                        .collect(Collectors.joining(" ")),
                null,
                false,
                false);
        this.all = List.copyOf(all);
    }

    List<RuleMistake> all() {
        return all;
    }

    /// One for each, as many as are shown.
    public List<String> each() {
        return all.stream().limit(SHOWN_MAX).map(RuleMistake::sentence).toList();
    }

    /// All of them in one line.
    public String sentences() {
        return String.valueOf(getMessage());
    }
}
