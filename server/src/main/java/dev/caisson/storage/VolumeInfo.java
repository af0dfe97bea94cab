package dev.caisson.storage;

import java.time.Instant;
import java.util.Map;

/// A volume as those who may use it see it.
///
/// @param owner the name of the caller who made it
/// @param grants who else may use it, by caller id
public record VolumeInfo(
        String name, String owner, Map<String, VolumeAccess> grants, Usage usage, Instant created) {
    public VolumeInfo {
        grants = Map.copyOf(grants);
    }
}
