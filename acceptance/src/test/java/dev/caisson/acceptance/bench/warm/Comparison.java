package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/// Runs of one row at one pace, by each maker in turn with a bare process.
///
/// @param bare times of the bare processes
/// @param ours times of the runs by what made their sandboxes, however they started
/// @param otherStarts runs that did not start as their row says: cold instead of warm
record Comparison(Row row, Pace pace, Times bare, Map<Maker, Times> ours, int otherStarts) {
    private static final double MEDIAN = 0.5;
    private static final double LATE = 0.99;

    static Comparison measure(Map<Maker, Client> clients, Row row, Pace pace, int rounds)
            throws IOException, InterruptedException {
        var bare = new Times();
        var ours = new EnumMap<Maker, Times>(Maker.class);
        int others = 0;
        for (int round = 0; round < rounds; round++) {
            bare.add(BareProcess.nanos(row.bare()));
            pace.rest();
            for (var each : clients.entrySet()) {
                var timed = each.getValue().executeWell(row);
                ours.computeIfAbsent(each.getKey(), _ -> new Times()).add(timed.nanos());
                others += timed.isWarm() == row.cold() ? 1 : 0;
                pace.rest();
            }
        }
        return new Comparison(row, pace, bare, ours, others);
    }

    String name() {
        return row.name() + ", " + pace.title();
    }

    private Times by(Maker maker) {
        return ours.getOrDefault(maker, new Times());
    }

    int count() {
        return bare.count();
    }

    double median(Maker maker) {
        return millis(maker) / bareMillis();
    }

    double late(Maker maker) {
        return lateMillis(maker) / bare.millis(LATE);
    }

    double millis(Maker maker) {
        return by(maker).millis(MEDIAN);
    }

    double lateMillis(Maker maker) {
        return by(maker).millis(LATE);
    }

    double bareMillis() {
        return bare.millis(MEDIAN);
    }

    double bareLateMillis() {
        return bare.millis(LATE);
    }
}
