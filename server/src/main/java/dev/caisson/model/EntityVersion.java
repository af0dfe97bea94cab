package dev.caisson.model;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Version of an entity, now or before.
///
/// @param type its class, if there still is one
/// @param by the transaction that wrote it
/// @param deletedBy the transaction that ended the entity, of the last version
/// @param attributes values by the names that slots have today
public record EntityVersion(
        long revision,
        Optional<String> type,
        String label,
        ModelTransaction by,
        Optional<ModelTransaction> deletedBy,
        ObjectNode attributes) {}
