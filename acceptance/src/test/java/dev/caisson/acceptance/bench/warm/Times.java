package dev.caisson.acceptance.bench.warm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// How long things took. Safe to add to from several threads.
final class Times {
    private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());

    void add(long taken) {
        nanos.add(taken);
    }

    Times and(Times more) {
        var all = new Times();
        all.nanos.addAll(List.copyOf(nanos));
        all.nanos.addAll(List.copyOf(more.nanos));
        return all;
    }

    int count() {
        return nanos.size();
    }

    double millis(double quantile) {
        List<Long> sorted;
        synchronized (nanos) {
            sorted = nanos.stream().sorted().toList();
        }
        return sorted.isEmpty()
                ? Double.NaN
                : sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * quantile)))
                        / 1e6;
    }
}
