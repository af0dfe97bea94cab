package dev.caisson.redact;

import java.util.Set;

/// What the operator wants taken out. Exact values always are.
///
/// @param tokens whether what looks like a secret is
/// @param personal the kinds of personal data that are
/// @param exactOnly names of tools whose texts lose nothing by its form, such as those that hand
///   out files
public record RedactionRules(boolean tokens, Set<PersonalKind> personal, Set<String> exactOnly) {
    /// Reading a resource, which is no tool.
    public static final String RESOURCES_READ = "resources_read";

    public static final RedactionRules DEFAULT =
            new RedactionRules(true, Set.of(), Set.of("files_download", RESOURCES_READ));

    public RedactionRules {
        personal = Set.copyOf(personal);
        exactOnly = Set.copyOf(exactOnly);
    }

    Forms of(String tool) {
        return exactOnly.contains(tool) ? Forms.NONE : new Forms(tokens, personal);
    }
}
