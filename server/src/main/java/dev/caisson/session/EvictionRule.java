package dev.caisson.session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/// Rule by which sessions give way to another one. It is a pure function of what there is.
///
/// - One in which a program runs never gives way.
/// - A caller that has all it may have gives way to itself: its longest idle session goes.
/// - When the server is full, the caller that holds most gives its longest idle one, if it holds
///   more than the asking caller would and more than an equal share. Its last session stays, but
///   where there is only one session in all.
/// - Otherwise the asking caller's own longest idle one goes.
record EvictionRule(SessionLimits limits) {
    /// A session as the rule sees it.
    ///
    /// @param bytes that it holds
    /// @param idleSince as [System#nanoTime()] said
    record Row(SessionKey key, long bytes, boolean busy, long idleSince) {
        String caller() {
            return key.callerId();
        }
    }

    /// What gives way to a new session.
    ///
    /// @param others without the asking one
    /// @return those that must go, in this order; empty when even that does not make room
    Optional<List<Row>> forNew(List<Row> others, Row asking) {
        return plan(others, asking, this::fits);
    }

    /// What gives way to a session that holds more than it did before its last call. It has had its
    /// share: there must be memory for it, and nothing else counts.
    ///
    /// @param others without the asking one
    /// @return those that must go, in this order; empty when even that does not make room
    Optional<List<Row>> forGrown(List<Row> others, Row asking) {
        return plan(others, asking, (left, grown) -> memoryLeft(left, grown) >= 0);
    }

    private Optional<List<Row>> plan(
            List<Row> others, Row asking, BiPredicate<List<Row>, Row> fits) {
        var left = new ArrayList<>(others);
        var going = new ArrayList<Row>();
        while (!fits.test(left, asking)) {
            var next = next(left, asking);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            left.remove(next.get());
            going.add(next.get());
        }
        return Optional.of(going);
    }

    private boolean fits(List<Row> others, Row asking) {
        return countFits(others, asking) && memoryFits(others, asking);
    }

    private boolean countFits(List<Row> others, Row asking) {
        long own = held(others, asking, _ -> 1);
        return own <= limits.perCaller()
                && others.size() < limits.total()
                && mayHold(own, own == 1, limits.total());
    }

    private boolean memoryFits(List<Row> others, Row asking) {
        boolean only = held(others, asking, _ -> 1) == 1;
        return !limits.countsMemory()
                || (memoryLeft(others, asking) >= 0
                        && mayHold(held(others, asking, Row::bytes), only, limits.memoryBytes()));
    }

    private long memoryLeft(List<Row> others, Row asking) {
        long all = others.stream().mapToLong(Row::bytes).sum() + asking.bytes();
        return limits.countsMemory() ? limits.memoryBytes() - all : Long.MAX_VALUE;
    }

    /// One caller never has everything, but for a single session.
    private boolean mayHold(long own, boolean only, long whole) {
        return only || own <= limits.part().of(whole);
    }

    private static long held(List<Row> others, Row asking, ToLongFunction<Row> amount) {
        return of(others, asking.caller()).stream().mapToLong(amount).sum()
                + amount.applyAsLong(asking);
    }

    private static List<Row> of(List<Row> rows, String caller) {
        return rows.stream().filter(row -> row.caller().equals(caller)).toList();
    }

    private Optional<Row> next(List<Row> others, Row asking) {
        var own = longestIdle(of(others, asking.caller()));
        if (held(others, asking, _ -> 1) > limits.perCaller()) {
            return own;
        }
        return (countFits(others, asking) || memoryLeft(others, asking) < 0
                        ? ofLargest(others, asking, Row::bytes, limits.memoryBytes())
                        : ofLargest(others, asking, _ -> 1, limits.total()))
                .or(() -> own);
    }

    private static Optional<Row> longestIdle(List<Row> rows) {
        return rows.stream()
                .filter(row -> !row.busy())
                .min(Comparator.comparingLong(Row::idleSince));
    }

    /// The longest idle one of the caller that holds most, of those above an equal share.
    private static Optional<Row> ofLargest(
            List<Row> others, Row asking, ToLongFunction<Row> amount, long whole) {
        var callers = others.stream().map(Row::caller).distinct().toList();
        long parties = callers.contains(asking.caller()) ? callers.size() : callers.size() + 1L;
        long wanted = held(others, asking, amount);
        boolean alone = others.size() == 1;
        return callers.stream()
                .filter(caller -> !caller.equals(asking.caller()))
                .map(caller -> of(others, caller))
                .filter(rows -> rows.size() > 1 ? sum(rows, amount) > wanted : alone)
                .filter(rows -> sum(rows, amount) * parties > whole)
                .filter(rows -> longestIdle(rows).isPresent())
                .max(Comparator.comparingLong(rows -> sum(rows, amount)))
                .flatMap(EvictionRule::longestIdle);
    }

    private static long sum(List<Row> rows, ToLongFunction<Row> amount) {
        return rows.stream().mapToLong(amount).sum();
    }
}
