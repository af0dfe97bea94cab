package dev.caisson.ledger;

import dev.caisson.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Verification of the ledger, from its first entry to its head as it is when the walk begins.
final class Verifier {
    /// After so many findings the walk ends.
    static final int FINDINGS_MAX = 100;

    private static final int PAGE = 1000;

    private final Store store;
    private final Optional<LedgerHead> noted;
    private final List<Finding> findings = new ArrayList<>();
    private LedgerHead reached = LedgerHead.NONE;
    private long entries;

    Verifier(Store store, Optional<LedgerHead> noted) {
        this.store = store;
        this.noted = noted;
    }

    Verification verify() {
        var head = store.read(LedgerRows::head);
        for (var page = pageUpTo(head); !page.isEmpty() && !full(); page = pageUpTo(head)) {
            page.forEach(this::step);
        }
        if (!full()) {
            compareEnd(head);
            lookBeyond();
            noted.filter(known -> known.sequence() > reached.sequence())
                    .ifPresent(known -> found(new Finding.Rewritten(known)));
        }
        return new Verification(entries, reached, findings, !full());
    }

    private List<LinkedEntry> pageUpTo(LedgerHead head) {
        return store.read(
                handle -> LedgerRows.after(handle, reached.sequence(), head.sequence(), PAGE));
    }

    private void step(LinkedEntry linked) {
        entries++;
        var expected = reached.sequence() + 1;
        if (linked.sequence() > expected) {
            found(new Finding.Removed(expected, linked.sequence() - 1));
        } else if (!linked.previousHash().equals(reached.hash())) {
            found(misplaced(linked));
        }
        if (!linked.sound()) {
            found(new Finding.Changed(linked.sequence()));
        }
        noted.filter(known -> known.sequence() == linked.sequence())
                .filter(known -> !known.hash().equals(linked.hash()))
                .ifPresent(known -> found(new Finding.Rewritten(known)));
        reached = linked.head();
    }

    /// The entry before is there, but is not the one this was written after.
    private Finding misplaced(LinkedEntry linked) {
        var before = linked.previousHash();
        var place =
                before.equals(LedgerHead.NONE.hash())
                        ? OptionalLong.of(0)
                        : store.read(handle -> LedgerRows.withHash(handle, before));
        if (place.isPresent()) {
            return new Finding.Moved(linked.sequence(), place.getAsLong());
        }
        return new Finding.Exchanged(linked.sequence() - 1);
    }

    /// The head is kept apart, so that a cut at the end shows.
    private void compareEnd(LedgerHead head) {
        if (reached.sequence() < head.sequence()) {
            found(new Finding.Removed(reached.sequence() + 1, head.sequence()));
        } else if (!reached.equals(head)) {
            found(new Finding.Exchanged(head.sequence()));
        }
    }

    /// The head is read after the last entry: the server, which writes both at once, cannot have
    /// come between.
    private void lookBeyond() {
        var last = store.read(LedgerRows::last);
        var head = store.read(LedgerRows::head);
        if (last > head.sequence()) {
            found(new Finding.Added(head.sequence() + 1, last));
        }
    }

    private void found(Finding finding) {
        if (!full()) {
            findings.add(finding);
        }
    }

    private boolean full() {
        return findings.size() >= FINDINGS_MAX;
    }
}
