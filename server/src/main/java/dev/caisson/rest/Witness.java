package dev.caisson.rest;

import dev.caisson.tools.LiveRun;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Is told how an attempt goes, on the thread that makes it and before anybody else: what it does
/// is done when the attempt goes on. Of the last two it is told exactly one.
interface Witness {
    Witness NONE = all(List.of());

    /// The program is about to run, or runs, and its record is durable.
    void began(LiveRun run);

    void ended(JsonNode result);

    /// It was refused, or failed by our fault, before it began or later.
    void failed(Throwable failure);

    static Witness all(List<Witness> witnesses) {
        return new Witness() {
            @Override
            public void began(LiveRun run) {
                witnesses.forEach(witness -> witness.began(run));
            }

            @Override
            public void ended(JsonNode result) {
                witnesses.forEach(witness -> witness.ended(result));
            }

            @Override
            public void failed(Throwable failure) {
                witnesses.forEach(witness -> witness.failed(failure));
            }
        };
    }
}
