package dev.caisson.ledger;

/// Finding of the verification: something that is wrong with the ledger.
public sealed interface Finding {
    /// For a person to read.
    String sentence();

    /// An entry is not what its hash says.
    record Changed(long sequence) implements Finding {
        @Override
        public String sentence() {
            return "Entry " + sequence + " was changed.";
        }
    }

    /// Entries are not there.
    record Removed(long first, long last) implements Finding {
        @Override
        public String sentence() {
            return first == last
                    ? "Entry " + first + " was removed."
                    : "Entries " + first + " to " + last + " were removed.";
        }
    }

    /// An entry stands where another should stand.
    ///
    /// @param follows the entry it was written after
    record Moved(long sequence, long follows) implements Finding {
        @Override
        public String sentence() {
            return "Entry " + sequence + " was moved: it was written after entry " + follows + ".";
        }
    }

    /// An entry was written after one that is gone: the one before it was exchanged for another,
    /// hash and all, or was removed and the rest numbered anew.
    record Exchanged(long sequence) implements Finding {
        @Override
        public String sentence() {
            return "Entry " + sequence + " was exchanged for another, or one after it was removed.";
        }
    }

    /// There are entries that the server did not write.
    record Added(long first, long last) implements Finding {
        @Override
        public String sentence() {
            return "Entries " + first + " to " + last + " were added from outside.";
        }
    }

    /// The ledger does not lead through a head that was noted down before.
    record Rewritten(LedgerHead noted) implements Finding {
        @Override
        public String sentence() {
            return "Entry "
                    + noted.sequence()
                    + " does not have the hash that was noted down: the ledger was made anew.";
        }
    }
}
