package dev.caisson.tools;

import dev.caisson.call.Durable;
import dev.caisson.executions.Begun;
import dev.caisson.executions.Completion;
import dev.caisson.executions.ExecutionRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/// Remembers what it was told, as long as the test runs.
final class FakeJournal implements Journal {
    final List<String> begun = new CopyOnWriteArrayList<>();
    final Map<String, ExecutionRequest> requests = new ConcurrentHashMap<>();
    final Map<String, Completion> ended = new ConcurrentHashMap<>();

    /// Whether a beginning can be kept.
    boolean fails;

    /// Whether it is, as often as somebody asks.
    final AtomicBoolean keeps = new AtomicBoolean(true);

    /// How many ends cannot be kept.
    int endsLost;

    /// Whether that is told at once.
    boolean atOnce;

    @Override
    public Begun begin(
            String id, String owner, ExecutionRequest request, String code, boolean followed) {
        begun.add(id);
        requests.put(id, request);
        return fails ? Begun.when(lost()) : noted();
    }

    private Begun noted() {
        return new Begun() {
            @Override
            public void awaitNoted() {}

            @Override
            public boolean isKept() {
                return keeps.get();
            }
        };
    }

    @Override
    public Durable end(String id, Completion completion) {
        if (endsLost > 0) {
            endsLost--;
            if (atOnce) {
                throw new IllegalStateException("no room");
            }
            return lost();
        }
        ended.put(id, completion);
        return Durable.NOW;
    }

    private static Durable lost() {
        return Durable.failed(new IllegalStateException("no disk"));
    }
}
