package dev.caisson.acceptance.bench.warm;

import java.util.List;

/// What makes the sandboxes of a server.
enum Maker {
    /// What a server takes by itself.
    NEST("nest"),
    BUBBLEWRAP("bubblewrap");

    private final String title;

    Maker(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    List<String> options() {
        return switch (this) {
            case NEST -> List.of();
            case BUBBLEWRAP -> List.of("--set", "sandbox.runtime=bubblewrap");
        };
    }
}
