package dev.caisson.workflow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/// Processes in memory. Give the same one to two servers to play a restart.
public final class FakeProcesses implements Processes {
    private final Map<String, WorkflowProcess> all = new ConcurrentHashMap<>();

    @Override
    public WorkflowProcess start(
            Definition definition, String owner, JsonNode data, Optional<Duration> keep) {
        var id = UUID.randomUUID().toString();
        var now = Instant.now();
        var process =
                new WorkflowProcess(
                        id, definition, owner, definition.initial(), data, now, now, keep);
        all.put(id, process);
        return process;
    }

    @Override
    public synchronized Optional<WorkflowProcess> move(
            String id, String state, JsonNode data, String actor, String reason) {
        var old = all.get(id);
        if (old == null || !old.definition().allows(old.state(), state)) {
            return Optional.empty();
        }
        var moved =
                new WorkflowProcess(
                        id,
                        old.definition(),
                        old.owner(),
                        state,
                        data,
                        old.created(),
                        Instant.now(),
                        old.keep());
        all.put(id, moved);
        return Optional.of(moved);
    }

    @Override
    public Optional<WorkflowProcess> find(String id, String owner) {
        return Optional.ofNullable(all.get(id)).filter(found -> found.owner().equals(owner));
    }

    @Override
    public List<WorkflowProcess> abandoned(Definition definition) {
        return all.values().stream()
                .filter(process -> process.is(definition) && !process.ended())
                .toList();
    }

    @Override
    public int sweep() {
        return 0;
    }
}
