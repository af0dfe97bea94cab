package dev.caisson.storage;

import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Settings of signed links to files.
///
/// @param formerSecrets with which links were signed that may still be about
/// @param lasting whether links without expiry are accepted
public record LinkSettings(
        @Key(
                        name = "files.secret",
                        min = "8",
                        form = Form.SECRET,
                        secret = true,
                        alsoFrom = "FILE_SECRET",
                        doc =
                                "The secret links to files are signed with; made at the first start"
                                        + " if absent.")
                Optional<String> secret,
        @Key(
                        name = "files.former_secrets",
                        form = Form.SECRET,
                        secret = true,
                        doc =
                                "Secrets that sign no more links, while links signed with them still"
                                        + " work.")
                List<String> formerSecrets,
        @Key(
                        name = "files.link_life",
                        initial = "1h",
                        min = "1s",
                        max = "365d",
                        doc = "How long a signed link works.")
                Duration life,
        @Key(
                        name = "files.lasting_links",
                        initial = "false",
                        doc =
                                "Whether links that sign thread and path alone, and never expire, are"
                                        + " accepted for threads of the holder of auth.api_token.")
                boolean lasting) {
    public LinkSettings {
        formerSecrets = List.copyOf(formerSecrets);
    }

    /// Without the secrets.
    @Override
    public String toString() {
        return "LinkSettings[life=" + life + "]";
    }
}
