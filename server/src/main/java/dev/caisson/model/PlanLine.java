package dev.caisson.model;

import dev.caisson.json.Named;
import dev.caisson.json.Sparse;
import java.util.Optional;

/// Line of a plan: one change of a definition, and what it does to the entities there are.
///
/// @param type the class
/// @param instances how many entities it concerns
@Sparse
public record PlanLine(
        Act change,
        @Named("class") String type,
        Optional<String> slot,
        long instances,
        Result effect,
        Optional<String> why) {
    /// What is changed.
    public enum Act {
        ADD_CLASS,
        CHANGE_CLASS,
        RENAME_CLASS,
        DELETE_CLASS,
        ADD_SLOT,
        CHANGE_SLOT,
        RENAME_SLOT,
        REMOVE_SLOT
    }

    /// What becomes of the entities.
    public enum Result {
        NONE,
        /// They are written anew in the same transaction.
        REWRITE,
        /// Some break a new rule and stay as they are until they are next written.
        GRANDFATHERED,
        /// The change is not made.
        REFUSED
    }

    static PlanLine of(Act change, String type) {
        return new PlanLine(change, type, Optional.empty(), 0, Result.NONE, Optional.empty());
    }

    static PlanLine of(Act change, String type, String slot) {
        return new PlanLine(change, type, Optional.of(slot), 0, Result.NONE, Optional.empty());
    }

    PlanLine with(long concerned, Result result, Optional<String> because) {
        return new PlanLine(change, type, slot, concerned, result, because);
    }
}
