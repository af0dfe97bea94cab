package dev.caisson.acceptance.bench.warm;

import java.time.Duration;

/// How calls follow each other.
enum Pace {
    /// Without a pause.
    CLOSE("back to back", Duration.ZERO),
    /// As a model calls that thinks meanwhile: caches and processors are cold then.
    PAUSED("with pauses", Duration.ofMillis(100));

    private final String title;
    private final Duration pause;

    Pace(String title, Duration pause) {
        this.title = title;
        this.pause = pause;
    }

    String title() {
        return title;
    }

    void rest() throws InterruptedException {
        Thread.sleep(pause);
    }
}
