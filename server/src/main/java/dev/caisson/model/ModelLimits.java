package dev.caisson.model;

/// Limits on what callers may keep in spaces and ask of them.
///
/// @param spacesPerCaller named spaces that one caller owns
/// @param grantsMax callers to whom one space is granted
/// @param classesMax classes of one space
/// @param slotsMax slots of one class, with those it inherits
/// @param entitiesMax entities of one space
/// @param entityBytesMax the document of one entity
/// @param itemsMax values of one slot
/// @param changesMax changes of one transaction
/// @param cascadeMax entities that one delete touches
/// @param rewriteMax entities that one change of classes looks at
/// @param scanMax documents that one query looks at
public record ModelLimits(
        int spacesPerCaller,
        int grantsMax,
        int classesMax,
        int slotsMax,
        long entitiesMax,
        int entityBytesMax,
        int itemsMax,
        int changesMax,
        int cascadeMax,
        int rewriteMax,
        int scanMax) {
    public static final ModelLimits DEFAULT =
            new ModelLimits(
                    20, 100, 500, 100, 2_000_000, 256 << 10, 1_000, 500, 1_000, 10_000, 100_000);
}
