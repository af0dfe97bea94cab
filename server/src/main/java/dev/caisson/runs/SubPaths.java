package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.StandingVolume;
import dev.caisson.json.Json;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileSpace;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Sub-directories a run sees in place of its whole thread and of whole volumes.
///
/// @param byPlace by the name of the volume, or [#WORKSPACE]
public record SubPaths(Map<String, FilePath> byPlace) {
    /// Names the thread's own directory.
    static final String WORKSPACE = "/workspace";

    /// The thread, and as many volumes as a run may have.
    static final int COUNT_MAX = 1 + StandingVolume.COUNT_MAX;

    /// How much all of them may take, as JSON.
    public static final int BYTES_MAX = 32 << 10;

    public static final SubPaths NONE = new SubPaths(Map.of());

    public SubPaths {
        byPlace = Map.copyOf(byPlace);
    }

    /// @throws Refusal INVALID_ARGUMENT for too many, too long ones, and a path that leads
    ///   elsewhere
    public static SubPaths of(Map<String, String> given) {
        if (given.size() > COUNT_MAX) {
            throw refusal("sub_paths may name up to " + COUNT_MAX + " places.");
        }
        if (Json.bytes(Json.tree(given)).length > BYTES_MAX) {
            throw refusal("sub_paths may take " + BYTES_MAX + " bytes at most.");
        }
        var paths = new HashMap<String, FilePath>();
        given.forEach((place, path) -> paths.put(place, path(place, path)));
        return new SubPaths(paths);
    }

    private static FilePath path(String place, String path) {
        return place.equals(WORKSPACE)
                ? FileSpace.thread("").path(path)
                : FileSpace.volume(place).path(path);
    }

    FilePath workspace() {
        return Optional.ofNullable(byPlace.get(WORKSPACE)).orElse(FilePath.ROOT);
    }

    FilePath volume(String name) {
        return Optional.ofNullable(byPlace.get(name)).orElse(FilePath.ROOT);
    }

    /// @param volumes those the run mounts
    /// @throws Refusal INVALID_ARGUMENT when another place is named: its files would be missed
    void requireMounted(Collection<String> volumes) {
        for (var place : byPlace.keySet()) {
            if (!place.equals(WORKSPACE) && !volumes.contains(place)) {
                throw refusal(
                        "sub_paths may name /workspace and the volumes of the run; another name is"
                                + " among them.");
            }
        }
    }

    private static Refusal refusal(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence, Map.of("parameter", "sub_paths"));
    }
}
