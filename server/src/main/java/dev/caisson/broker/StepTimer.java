package dev.caisson.broker;

import dev.caisson.call.CallNotes;
import dev.caisson.call.CallStep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Timer of one step of a call of another server's tool, which becomes a span when it is closed. Of
/// our own tools the call itself says enough.
record StepTimer(CallNotes notes, String name, Optional<String> server, long began)
        implements AutoCloseable {
    /// @param origin of the tool; none for our own
    static StepTimer of(CallNotes notes, String name, Optional<ToolOrigin> origin) {
        var server = origin.filter(tool -> !tool.isOwn()).map(ToolOrigin::server);
        return new StepTimer(notes, name, server, server.isPresent() ? System.nanoTime() : 0);
    }

    @Override
    public void close() {
        if (server.isPresent()) {
            var took = Duration.ofNanos(System.nanoTime() - began);
            var words = Map.of("caisson.upstream", server.get());
            notes.took(ended -> List.of(new CallStep(name, ended.minus(took), took, words)));
        }
    }
}
