package dev.caisson.storage;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The regular files of a workspace, in the order of their paths.
///
/// @param complete whether every file is there; false when a bound ended the walk
public record Listing(List<WorkspaceFile> files, boolean complete) {
    public static final Listing EMPTY = new Listing(List.of(), true);

    public Listing {
        files = List.copyOf(files);
    }

    public Optional<WorkspaceFile> file(FilePath path) {
        return files.stream().filter(file -> file.path().equals(path)).findFirst();
    }

    /// The files of an earlier listing that are not in this one.
    public List<WorkspaceFile> removedSince(Listing earlier) {
        var now = new HashSet<FilePath>();
        files.forEach(file -> now.add(file.path()));
        return earlier.files().stream().filter(file -> !now.contains(file.path())).toList();
    }

    /// The files that are new or were touched since an earlier listing.
    public List<WorkspaceFile> changedSince(Listing earlier) {
        Map<Object, WorkspaceFile> before = new HashMap<>();
        earlier.files().forEach(file -> before.put(file.path(), file));
        return files.stream().filter(file -> !file.equals(before.get(file.path()))).toList();
    }
}
