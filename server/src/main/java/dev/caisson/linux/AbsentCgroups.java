package dev.caisson.linux;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Optional;

/// A host on which no group can be made, and why.
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
