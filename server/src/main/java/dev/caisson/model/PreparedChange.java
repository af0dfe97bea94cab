package dev.caisson.model;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Change that was checked outside of the transaction that makes it, on what was there then.
///
/// @see ChangePreparation
sealed interface PreparedChange {
    /// @param number which change of its transaction, from 1
    /// @param document with references as they were given
    record NewEntity(
            int number,
            EntityClass type,
            String id,
            Optional<String> ident,
            boolean mayMeet,
            ObjectNode document)
            implements PreparedChange {}

    /// @param before what it was checked against
    record NewVersion(int number, EntityClass type, StoredEntity before, ObjectNode document)
            implements PreparedChange {}

    /// What is there stays as it is.
    record Kept(int number, EntityClass type, StoredEntity before) implements PreparedChange {}

    record Removal(int number, EntityClass type, StoredEntity before, EntityChange.Inbound inbound)
            implements PreparedChange {}

    int number();

    EntityClass type();
}
