package dev.caisson.acceptance.bench;

import java.util.Arrays;
import java.util.List;

/// What one round measured.
///
/// @param nanos how long each request took, in ascending order
record Sample(double perSecond, long[] nanos) {
    static Sample of(List<long[]> perConnection, long elapsedNanos) {
        var all = perConnection.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new Sample(all.length * 1e9 / elapsedNanos, all);
    }

    double micros(double quantile) {
        if (nanos.length == 0) {
            return Double.NaN;
        }
        return nanos[(int) Math.min(nanos.length - 1L, (long) (nanos.length * quantile))] / 1e3;
    }
}
