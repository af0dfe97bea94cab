package dev.caisson.model;

import java.util.HashSet;
import java.util.Set;

/// Entries of one entity in the indexes: keys, references and words. They follow from its class and
/// its document alone, so that whoever changes an entity knows which were there. Pure.
record IndexEntries(Set<Key> keys, Set<Reference> references, Set<EntityWords.Word> words) {
    static final IndexEntries NONE = new IndexEntries(Set.of(), Set.of(), Set.of());

    /// @param slot its number; that number below zero for what makes a unique value unique
    record Key(long slot, String text) {}

    /// @param target the id of an entity
    record Reference(String target, long slot) {}

    static IndexEntries of(EntityClass type, StoredEntity entity) {
        var keys = new HashSet<Key>();
        var references = new HashSet<Reference>();
        for (var slot : type.slots().values()) {
            for (var value : EntityDocument.values(entity.document(), slot)) {
                if (slot.type() == Datatype.REF) {
                    references.add(new Reference(value.stringValue(), slot.number()));
                } else if (slot.spec().isIndexed()) {
                    keys.add(new Key(slot.number(), KeyText.of(slot.type(), value)));
                }
                if (slot.isUnique()) {
                    keys.add(new Key(-slot.number(), KeyText.exact(slot.type(), value)));
                }
            }
        }
        return new IndexEntries(keys, references, EntityWords.of(type, entity));
    }
}
