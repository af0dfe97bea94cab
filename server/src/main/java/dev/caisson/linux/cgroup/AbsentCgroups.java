package dev.caisson.linux.cgroup;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.Cgroups;
import java.util.Optional;

/// Control groups of a host on which none can be made, with the reason.
record AbsentCgroups(String why) implements Cgroups {
    @Override
    public String describe() {
        return "no control groups: " + why;
    }

    @Override
    public Optional<String> missing(Power power) {
        return Optional.of(why);
    }

    @Override
    public boolean canFreeze() {
        return false;
    }

    @Override
    public CgroupGroup create(String name, CgroupLimits limits) {
        throw new Refusal(Reason.UNAVAILABLE, why);
    }

    @Override
    public void limitTogether(long memoryBytes, int processes) {
        // What cannot be limited is told by missing().
    }

    @Override
    public int sweep() {
        return 0;
    }
}
