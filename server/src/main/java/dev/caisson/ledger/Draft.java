package dev.caisson.ledger;

import java.util.Optional;

/// An entry that has no place in the chain yet.
///
/// @param form of the entry; made by the caller, for the writer serves all of them
/// @param place where it outlives this process, if nobody waits for it
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record Draft(Entry entry, byte[] form, Optional<Place> place) {
    /// @param file the name of the [Pending] it is in
    record Place(String file, long number) {}

    static Draft of(Entry entry) {
        return new Draft(entry, Form.of(entry), Optional.empty());
    }

    Draft at(Place where) {
        return new Draft(entry, form, Optional.of(where));
    }
}
