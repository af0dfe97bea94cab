package dev.caisson.linux;

import java.time.Duration;

/// The files of one group by which it is limited and measured: [CgroupControlsV1] or
/// [CgroupControlsV2].
interface CgroupControls {
    /// A tenth of a second: how long a quota of processor time lasts.
    long PERIOD_MICROS = 100_000;

    void apply(CgroupLimits limits);

    long oomKills();

    long memoryPeakBytes();

    Duration cpuTime();

    long forksRefused();

    static String quotaMicros(CgroupLimits limits) {
        return Long.toString(Math.round(limits.cpus() * PERIOD_MICROS));
    }
}
