package dev.caisson.config;

import static dev.caisson.config.Setting.setting;

import java.util.List;

/// The part of the table under `redact`: what is taken out of texts that leave the server, beside
/// secrets that were handed over as such.
final class RedactSettings {
    static final List<String> KINDS = List.of("mail", "phone", "card", "iban");

    /// Every tool, and the reading of a resource.
    static final List<String> TOOLS =
            List.of(
                    "files_delete",
                    "files_download",
                    "files_list",
                    "files_upload",
                    "list_runners",
                    "output_read",
                    "resources_read",
                    "run_code",
                    "sandbox_execute",
                    "session_reset");

    static final Setting<List<String>> PERSONAL_DATA =
            setting(
                    "redact.personal_data",
                    Types.allOrSomeOf(KINDS),
                    "",
                    "Kinds of personal data that are struck from texts: `mail`, `phone`, `card`,"
                            + " `iban`, or `true` for all of them.");
    static final Setting<List<String>> PATTERNS_OFF =
            setting(
                    "redact.patterns_off",
                    Types.someOf(TOOLS),
                    "files_download,resources_read",
                    "Tools whose texts lose exact secrets alone, and nothing by its form; see below.");

    static final List<Setting<?>> ALL = List.of(PERSONAL_DATA, PATTERNS_OFF);

    private RedactSettings() {}
}
