package dev.caisson.tools;

import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Remembers what it was told, as long as the test runs.
final class FakeJournal implements Journal {
    final List<String> begun = new CopyOnWriteArrayList<>();
    final Map<String, ExecutionRequest> requests = new ConcurrentHashMap<>();
    final Map<String, Completion> ended = new ConcurrentHashMap<>();

    @Override
    public void begin(String id, String owner, ExecutionRequest request, String code) {
        begun.add(id);
        requests.put(id, request);
    }

    @Override
    public void end(String id, Completion completion) {
        ended.put(id, completion);
    }
}
