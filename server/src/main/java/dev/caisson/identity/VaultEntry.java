package dev.caisson.identity;

import java.time.Instant;

/// A secret of the vault as everybody may see it: without its value.
///
/// @param updated when its value was set last
/// @param usable whether it was sealed with the key that this server has
public record VaultEntry(String name, Instant updated, boolean usable) {}
