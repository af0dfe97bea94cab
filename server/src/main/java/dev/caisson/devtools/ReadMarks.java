package dev.caisson.devtools;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import dev.caisson.storage.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Memory of what a caller has seen of files: the hash of each when it was last shown to it or
/// written by it. The oldest goes first.
public final class ReadMarks {
    /// How many files of a caller are remembered.
    static final int FILES_MAX = 10_000;

    /// How many callers are remembered.
    static final int CALLERS_MAX = 200;

    private static final class Oldest<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1L;
        private final int max;

        Oldest(int max) {
            super(16, 0.75f, true);
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > max;
        }
    }

    private final Map<String, Oldest<String>> callers = new Oldest<>(CALLERS_MAX);

    /// @param place of the thread
    synchronized void note(Caller caller, String place, FilePath path, String hash) {
        callers.computeIfAbsent(caller.id(), _ -> new Oldest<>(FILES_MAX))
                .put(key(place, path), hash);
    }

    synchronized Optional<String> of(Caller caller, String place, FilePath path) {
        return Optional.ofNullable(callers.get(caller.id()))
                .flatMap(files -> Optional.ofNullable(files.get(key(place, path))));
    }

    /// Short, whatever the path is.
    private static String key(String place, FilePath path) {
        var text = place + "/" + path.text();
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, 40);
    }
}
