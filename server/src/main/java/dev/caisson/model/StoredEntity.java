package dev.caisson.model;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Entity as it is stored: its values by the numbers of slots.
///
/// @param sequence grows with each new entity of the server
/// @param type the number of its class
record StoredEntity(
        long sequence,
        long type,
        String id,
        Optional<String> ident,
        String label,
        long revision,
        ModelTransaction created,
        ModelTransaction updated,
        ObjectNode document) {
    StoredEntity with(String otherLabel, ModelTransaction transaction, ObjectNode otherDocument) {
        return new StoredEntity(
                sequence,
                type,
                id,
                ident,
                otherLabel,
                revision + 1,
                created,
                transaction,
                otherDocument);
    }

    /// As a caller sees it. Values of slots that are gone are not shown.
    Entity shown(EntityClass shownClass) {
        return new Entity(
                id,
                ident,
                shownClass.name(),
                label,
                revision,
                created.at(),
                created.actorName(),
                updated.at(),
                updated.actorName(),
                updated.execution(),
                EntityDocument.attributes(shownClass, document));
    }
}
