package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Detectors of secrets by their form, which nobody named.
///
/// @param tokens what looks like a secret of a well-known kind
/// @param personal kinds of personal data
record SecretForms(boolean tokens, Set<PersonalKind> personal) {
    static final SecretForms NONE = new SecretForms(false, Set.of());

    SecretForms {
        personal = Set.copyOf(personal);
    }

    boolean isNone() {
        return !tokens && personal.isEmpty();
    }

    List<SecretSpan> find(String text) {
        var found = new ArrayList<SecretSpan>();
        if (tokens) {
            found.addAll(PrivateKeys.find(text));
            found.addAll(TokenShapes.find(text));
            found.addAll(Assignments.find(text));
        }
        personal.stream().sorted().forEach(kind -> found.addAll(kind.find(text)));
        return found;
    }
}
