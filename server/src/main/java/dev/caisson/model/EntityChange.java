package dev.caisson.model;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Change of one entity. A handle is an id or an ident; where a reference is expected, `$1` is the
/// entity of the first change.
public sealed interface EntityChange {
    /// What becomes of a new entity whose ident is taken.
    enum OnConflict {
        REFUSE,
        UPDATE,
        KEEP
    }

    /// What becomes of references to an entity that is deleted.
    enum Inbound {
        /// As their slots say.
        BY_SLOT,
        UNLINK,
        CASCADE
    }

    /// @param type the class
    /// @param attributes values by the names of slots
    record Create(String type, ObjectNode attributes, Optional<String> ident, OnConflict onConflict)
            implements EntityChange {}

    /// @param attributes values by the names of slots; null removes one
    /// @param additive whether lists are added to and not replaced
    /// @param expectedRevision the revision it must have
    record Update(
            String handle, ObjectNode attributes, boolean additive, Optional<Long> expectedRevision)
            implements EntityChange {}

    /// @param expectedRevision the revision it must have
    record Delete(String handle, Inbound inbound, Optional<Long> expectedRevision)
            implements EntityChange {}
}
