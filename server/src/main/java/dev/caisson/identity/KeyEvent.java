package dev.caisson.identity;

import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Event in the life of a key, for its record. It never has the key itself.
///
/// @param keyId of the key it happened to; empty when there is none
/// @param wanted what was asked for
public record KeyEvent(Act act, KeyActor actor, Optional<String> keyId, ObjectNode wanted) {
    /// What can happen to a key.
    public enum Act {
        KEY_CREATE,
        KEY_REVOKE,
        KEY_FIRST_USE;

        /// As the ledger calls it, such as `key_create`.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
