package dev.caisson.model;

import dev.caisson.store.Transaction;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finder of entities by what names them: an id or an ident.
final class EntityFinder {
    private static final Pattern ID = Pattern.compile("ent_[0-9a-v]{26}");

    private EntityFinder() {}

    static boolean isId(String name) {
        return ID.matcher(name).matches();
    }

    static Optional<StoredEntity> find(Transaction handle, long space, String name) {
        if (isId(name)) {
            return EntityRows.byId(handle, space, name);
        }
        return ChangePreparation.isIdent(name)
                ? EntityRows.byIdent(handle, space, name)
                : Optional.empty();
    }
}
