package dev.caisson.cli;

import java.time.Instant;
import java.util.List;

/// Administration of the vault for the command line: list, set, remove. Values go in alone.
public interface SecretAdmin extends AutoCloseable {
    /// @param usable whether the key of this configuration opens it
    record Listed(String name, Instant updated, boolean usable) {}

    List<Listed> list();

    Listed set(String name, String value);

    void remove(String name);

    /// Where the secrets are kept.
    DataUse dataUse();

    @Override
    void close();
}
