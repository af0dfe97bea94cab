package dev.caisson.tools;

import dev.caisson.call.Durable;
import dev.caisson.executions.Begun;
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

    /// Whether a beginning can be kept.
    boolean fails;

    /// How many ends cannot.
    int endsLost;

    @Override
    public Begun begin(String id, String owner, ExecutionRequest request, String code) {
        begun.add(id);
        requests.put(id, request);
        return Begun.when(fails ? new Lost() : Durable.NOW);
    }

    @Override
    public Durable end(String id, Completion completion) {
        if (endsLost > 0) {
            endsLost--;
            return new Lost();
        }
        ended.put(id, completion);
        return Durable.NOW;
    }

    private static final class Lost implements Durable {
        @Override
        public void await() {
            throw new IllegalStateException("no disk");
        }

        @Override
        public boolean isWaiting() {
            return true;
        }

        @Override
        public void then(Next next) {
            next.after(false);
        }
    }
}
