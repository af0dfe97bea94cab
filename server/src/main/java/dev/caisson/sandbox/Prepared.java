package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import java.util.Optional;

/// A locked sandbox whose guest waits for its one job, with what it stands on. It serves one run,
/// or one session, and is then ended, see [Preparation#end(Prepared)].
///
/// @param limits it was made for
record Prepared(Slot slot, Optional<CgroupGroup> group, Limits limits, Sandbox sandbox) {
    /// Limits everything in it together as a run wants it, and checks that the kernel took it.
    void apply(Limits wanted) {
        group.ifPresent(each -> each.update(Preparation.groupLimits(wanted)));
    }
}
