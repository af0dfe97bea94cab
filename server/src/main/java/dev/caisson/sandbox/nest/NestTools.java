package dev.caisson.sandbox.nest;

import dev.caisson.sandbox.bubblewrap.Machine;
import dev.caisson.sandbox.bubblewrap.SandboxRemovals;
import dev.caisson.sandbox.bubblewrap.Slots;

/// Tools of nests: what they are made with, shared by all of them.
///
/// @param removals for dead sandboxes that wait for their slots to be cleaned
/// @param sandboxes how many a nest may have at once
/// @param nests how many there may be at once
/// @param forks whether interpreters that can be forked are
/// @param keeps whether control groups and networks serve again, see [Spares]
/// @param trials how often something that does not die is killed, each time for some seconds
record NestTools(
        Machine machine,
        Slots slots,
        SandboxRemovals removals,
        int sandboxes,
        int nests,
        boolean forks,
        boolean keeps,
        int trials) {
    static final int TRIALS = 12;
}
