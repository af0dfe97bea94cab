package dev.caisson.share;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;

/// Fair queue of those who wait: a queue for each caller, and the callers in a ring. Whoever had a
/// turn goes to the ring's end, so nobody waits for all that another one asked for before. Not safe
/// for threads: its owner has a lock.
///
/// @param <T> what waits
public final class FairQueue<T> {
    private final Map<String, Deque<T>> ring = new LinkedHashMap<>();
    private int size;

    /// What is next, and whose it is.
    public record Next<T>(String caller, T item) {}

    public int size() {
        return size;
    }

    public int size(String caller) {
        var queue = ring.get(caller);
        return queue == null ? 0 : queue.size();
    }

    public void add(String caller, T item) {
        ring.computeIfAbsent(caller, _ -> new ArrayDeque<>()).addLast(item);
        size++;
    }

    /// The first of the next caller in the ring whose first may have a turn.
    public Optional<Next<T>> takeNext(BiPredicate<String, T> may) {
        return ring.entrySet().stream()
                .filter(entry -> may.test(entry.getKey(), entry.getValue().getFirst()))
                .findFirst()
                .map(entry -> takeFirst(entry.getKey(), entry.getValue()));
    }

    /// The same, and those behind one that is next have no turn before it.
    ///
    /// @param isNext whether one that may not have a turn yet keeps its place before the others
    public Optional<Next<T>> takeNext(BiPredicate<String, T> may, BiPredicate<String, T> isNext) {
        return ring.entrySet().stream()
                .filter(entry -> {
                    var first = entry.getValue().getFirst();
                    return may.test(entry.getKey(), first) || isNext.test(entry.getKey(), first);
                })
                .findFirst()
                .filter(entry -> may.test(entry.getKey(), entry.getValue().getFirst()))
                .map(entry -> takeFirst(entry.getKey(), entry.getValue()));
    }

    /// The first of the caller for whom this is least; among equals, of the next in the ring.
    public Optional<Next<T>> takeNextOfLeast(ToIntFunction<String> measure) {
        return ring.entrySet().stream()
                .min(Comparator.comparingInt(entry -> measure.applyAsInt(entry.getKey())))
                .map(entry -> takeFirst(entry.getKey(), entry.getValue()));
    }

    /// Whether this holds for the first of any caller.
    public boolean anyFirst(BiPredicate<String, T> holds) {
        return ring.entrySet().stream()
                .anyMatch(entry -> holds.test(entry.getKey(), entry.getValue().getFirst()));
    }

    private Next<T> takeFirst(String caller, Deque<T> queue) {
        ring.remove(caller);
        var item = queue.removeFirst();
        size--;
        if (!queue.isEmpty()) {
            ring.put(caller, queue);
        }
        return new Next<>(caller, item);
    }

    /// Takes away the last of whoever waits with most; empty when that would be no fairer to the
    /// one it is for.
    public Optional<Next<T>> takeLastOfLongest(String forWhom) {
        int own = size(forWhom);
        return ring.entrySet().stream()
                .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                .filter(entry -> entry.getValue().size() > own + 1)
                .map(entry -> {
                    size--;
                    return new Next<>(entry.getKey(), entry.getValue().removeLast());
                });
    }

    /// @return false when it is not waiting any more
    public boolean remove(String caller, T item) {
        var queue = ring.get(caller);
        if (queue == null || !queue.remove(item)) {
            return false;
        }
        size--;
        if (queue.isEmpty()) {
            ring.remove(caller);
        }
        return true;
    }

    /// Takes everything away.
    public List<T> clear() {
        var all = ring.values().stream().flatMap(Deque::stream).toList();
        ring.clear();
        size = 0;
        return all;
    }
}
