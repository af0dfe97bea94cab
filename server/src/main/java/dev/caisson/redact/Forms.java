package dev.caisson.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What is taken out because of its form, although nobody named it.
///
/// @param tokens what looks like a secret of a well-known kind
/// @param personal kinds of personal data
record Forms(boolean tokens, Set<PersonalKind> personal) {
    static final Forms NONE = new Forms(false, Set.of());

    Forms {
        personal = Set.copyOf(personal);
    }

    boolean isNone() {
        return !tokens && personal.isEmpty();
    }

    List<Hit> find(String text) {
        var found = new ArrayList<Hit>();
        if (tokens) {
            found.addAll(PrivateKeys.find(text));
            found.addAll(TokenShapes.find(text));
            found.addAll(Assignments.find(text));
        }
        personal.stream().sorted().forEach(kind -> found.addAll(kind.find(text)));
        return found;
    }
}
