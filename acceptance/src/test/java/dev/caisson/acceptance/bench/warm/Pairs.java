package dev.caisson.acceptance.bench.warm;

import java.io.IOException;

/// Runs of one row, each beside a bare process, at one pace.
///
/// @param bare times of the bare processes
/// @param ours times of the runs, however they started
/// @param otherStarts runs that did not start as their row says: cold instead of warm
record Pairs(Row row, Pace pace, Times bare, Times ours, int otherStarts) {
    private static final double MEDIAN = 0.5;
    private static final double LATE = 0.99;

    static Pairs measure(Client client, Row row, Pace pace, int rounds)
            throws IOException, InterruptedException {
        var bare = new Times();
        var ours = new Times();
        int others = 0;
        for (int round = 0; round < rounds; round++) {
            bare.add(BareProcess.nanos(row.bare()));
            pace.rest();
            var timed = client.executeWell(row);
            ours.add(timed.nanos());
            others += timed.isWarm() == row.cold() ? 1 : 0;
            pace.rest();
        }
        return new Pairs(row, pace, bare, ours, others);
    }

    String name() {
        return row.name() + ", " + pace.title();
    }

    double median() {
        return ours.millis(MEDIAN) / bare.millis(MEDIAN);
    }

    double late() {
        return ours.millis(LATE) / bare.millis(LATE);
    }

    double millis() {
        return ours.millis(MEDIAN);
    }

    double lateMillis() {
        return ours.millis(LATE);
    }

    double bareMillis() {
        return bare.millis(MEDIAN);
    }
}
