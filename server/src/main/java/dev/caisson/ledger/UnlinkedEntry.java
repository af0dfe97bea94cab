package dev.caisson.ledger;

import java.util.Optional;

/// An entry that has no place in the chain yet.
///
/// @param form of the entry; made by the caller, for the writer serves all of them
/// @param place where it outlives this process, if nobody waits for it
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record UnlinkedEntry(Entry entry, byte[] form, Optional<Place> place) {
    /// @param file the name of the [EntryRing] it is in
    record Place(String file, long number) {}

    static UnlinkedEntry of(Entry entry) {
        return new UnlinkedEntry(entry, EntryEncoding.of(entry), Optional.empty());
    }

    UnlinkedEntry at(Place where) {
        return new UnlinkedEntry(entry, form, Optional.of(where));
    }
}
