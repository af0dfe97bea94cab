package dev.caisson.identity;

import dev.caisson.config.Form;
import dev.caisson.config.Key;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Settings of the vault.
public record VaultSettings(
        @Key(
                        name = "vault.key",
                        min = "32",
                        form = Form.SECRET,
                        secret = true,
                        doc =
                                "What the secrets of `caisson secret` are sealed with, such as from"
                                        + " openssl rand -hex 32; the file secret of the data directory"
                                        + " if absent. Secrets that were sealed with another key must be"
                                        + " set again.")
                Optional<String> key) {
    /// @param fileSecret bytes of the secret file, used when no key is configured
    public VaultKey sealing(byte[] fileSecret) {
        return VaultKey.of(
                key.map(text -> text.getBytes(StandardCharsets.UTF_8)).orElse(fileSecret));
    }

    /// Without the key.
    @Override
    public String toString() {
        return "VaultSettings[]";
    }
}
