package dev.caisson.upstream;

import java.util.List;
import java.util.stream.Collectors;

/// Exception with all mistakes in what somebody wrote of upstreams.
public final class UpstreamMistakes extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<UpstreamMistake> all;

    UpstreamMistakes(List<UpstreamMistake> all) {
        super(
                all.stream().map(UpstreamMistake::sentence).collect(Collectors.joining(" ")),
                null,
                false,
                false);
        this.all = List.copyOf(all);
    }

    public List<UpstreamMistake> all() {
        return all;
    }

    /// All of them in one line.
    public String sentences() {
        return String.valueOf(getMessage());
    }
}
