package dev.caisson.identity;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Directory of API keys, for reading alone.
@FunctionalInterface
public interface KeyDirectory {
    /// From the oldest to the newest, with the revoked ones.
    List<KeyInfo> list();

    /// When each key was used last, by its id, to the minute for those that other servers admitted;
    /// keys that were never used are absent.
    default Map<String, Instant> lastUses() {
        return Map.of();
    }
}
