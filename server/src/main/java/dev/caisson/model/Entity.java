package dev.caisson.model;

import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Entity as a caller sees it.
///
/// @param type its class
/// @param createdBy the name of the key
/// @param execution the run whose program wrote it last
/// @param attributes values by the names of slots; references as ids
public record Entity(
        String id,
        Optional<String> ident,
        String type,
        String label,
        long revision,
        Instant created,
        String createdBy,
        Instant updated,
        String updatedBy,
        Optional<String> execution,
        ObjectNode attributes) {}
