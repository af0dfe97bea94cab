package dev.caisson.redact;

import dev.caisson.config.Defaults;
import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.util.Set;

/// Redaction rules of the operator: what is struck by its form. Exact secrets always are.
///
/// @param tokens whether what looks like a secret is
/// @param personal the kinds of personal data that are
/// @param exactOnly names of tools whose texts lose nothing by its form, such as those that hand
///   out files
public record RedactionRules(
        @Key(
                        name = "sandbox.redact_patterns",
                        initial = "true",
                        doc = "Whether what looks like a secret is struck from output.")
                boolean tokens,
        @Key(
                        name = "redact.personal_data",
                        form = Form.ALL_OR_SOME,
                        doc =
                                "Kinds of personal data that are struck from texts: `mail`, `phone`,"
                                        + " `card`, `iban`, or `true` for all of them.")
                Set<PersonalKind> personal,
        @Key(
                        name = "redact.patterns_off",
                        initial = "files_download,resources_read",
                        choices = {
                            "execution_cancel",
                            "execution_wait",
                            "executions_list",
                            "files_delete",
                            "files_download",
                            "files_list",
                            "files_upload",
                            "list_runners",
                            "output_read",
                            "resources_read",
                            "run_code",
                            "sandbox_execute",
                            "session_reset",
                            "sessions_list"
                        },
                        doc =
                                "Tools whose texts lose exact secrets alone, and nothing by its form;"
                                        + " see below.")
                Set<String> exactOnly) {
    /// Reading a resource, which is no tool.
    public static final String RESOURCES_READ = "resources_read";

    public static final RedactionRules DEFAULT = Defaults.of(RedactionRules.class);

    public RedactionRules {
        personal = Set.copyOf(personal);
        exactOnly = Set.copyOf(exactOnly);
    }

    SecretForms of(String tool) {
        return exactOnly.contains(tool) ? SecretForms.NONE : new SecretForms(tokens, personal);
    }
}
