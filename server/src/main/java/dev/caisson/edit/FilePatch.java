package dev.caisson.edit;

import java.util.List;
import java.util.Optional;

/// File as a patch changes it. Texts are those of [TextBytes].
public sealed interface FilePatch {
    /// As the patch names it.
    String path();

    /// A new file.
    record Add(String path, String content) implements FilePatch {}

    /// A file goes.
    record Delete(String path) implements FilePatch {}

    /// A file gets other lines.
    ///
    /// @param movedTo its new name
    record Update(String path, Optional<String> movedTo, List<Hunk> hunks) implements FilePatch {
        public Update {
            hunks = List.copyOf(hunks);
        }
    }
}
