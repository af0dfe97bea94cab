package dev.caisson.model;

import java.util.List;
import java.util.Optional;

/// Summary of the changes of a transaction.
///
/// @param transaction empty when nothing was to be changed
/// @param results one for each change, in the same order
/// @param deleted the ids of all that were deleted, also by what they refer to
/// @param unlinked the ids of those that lost a reference
public record AppliedChanges(
        Optional<ModelTransaction> transaction,
        List<Result> results,
        List<String> deleted,
        List<String> unlinked) {
    /// What became of an entity.
    public enum Act {
        CREATED,
        UPDATED,
        UNCHANGED,
        DELETED
    }

    /// @param entity as it is now, or was last
    /// @param changed the slots whose values are others than before
    public record Result(Act act, Entity entity, List<String> changed) {
        public Result {
            changed = List.copyOf(changed);
        }
    }

    public AppliedChanges {
        results = List.copyOf(results);
        deleted = List.copyOf(deleted);
        unlinked = List.copyOf(unlinked);
    }
}
