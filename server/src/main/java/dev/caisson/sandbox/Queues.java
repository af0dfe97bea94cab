package dev.caisson.sandbox;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Those who wait: a queue for each caller, and the callers in a ring. Whoever had a turn goes to
/// the ring's end. Used under the lock of [Admission].
final class Queues {
    private final Map<String, Deque<Turn>> ring = new LinkedHashMap<>();
    private int size;

    record Next(String caller, Turn turn) {}

    int size() {
        return size;
    }

    void add(String caller, Turn turn) {
        ring.computeIfAbsent(caller, _ -> new ArrayDeque<>()).addLast(turn);
        size++;
    }

    /// The first of the next caller in the ring who may have a turn.
    Optional<Next> takeNext(Predicate<String> may) {
        var next = ring.entrySet().stream().filter(entry -> may.test(entry.getKey())).findFirst();
        return next.map(entry -> takeFirst(entry.getKey(), entry.getValue()));
    }

    private Next takeFirst(String caller, Deque<Turn> queue) {
        ring.remove(caller);
        var turn = queue.removeFirst();
        size--;
        if (!queue.isEmpty()) {
            ring.put(caller, queue);
        }
        return new Next(caller, turn);
    }

    /// The last of whoever waits with most; empty when that would be no fairer to the one it is
    /// for.
    Optional<Turn> takeLastOfLongest(String forWhom) {
        var longest =
                ring.entrySet().stream()
                        .max(Comparator.comparingInt(entry -> entry.getValue().size()));
        int own = ring.getOrDefault(forWhom, new ArrayDeque<>()).size();
        return longest.filter(entry -> entry.getValue().size() > own + 1)
                .map(entry -> {
                    size--;
                    return entry.getValue().removeLast();
                });
    }

    /// @return false when it is not waiting any more
    boolean remove(String caller, Turn turn) {
        var queue = ring.get(caller);
        if (queue == null || !queue.remove(turn)) {
            return false;
        }
        size--;
        if (queue.isEmpty()) {
            ring.remove(caller);
        }
        return true;
    }

    List<Turn> clear() {
        var all = ring.values().stream().flatMap(Deque::stream).toList();
        ring.clear();
        size = 0;
        return all;
    }
}
