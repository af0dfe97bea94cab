package dev.caisson.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/// File of the operator that is read again when it was written, as its time and its size tell.
public final class WatchedFile {
    /// What tells whether a file was written.
    private record Stamp(FileTime time, long size) {}

    private final Optional<Path> path;
    private Optional<Stamp> seen;

    /// As it is now.
    public WatchedFile(Optional<Path> path) {
        this.path = path;
        this.seen = stamp();
    }

    public Optional<Path> path() {
        return path;
    }

    /// Whether it was written, removed or made since this was asked the last time.
    public boolean isNew() {
        var now = stamp();
        var different = !now.equals(seen);
        seen = now;
        return different;
    }

    /// It is looked at as new the next time, if it is there.
    public void again() {
        seen = Optional.empty();
    }

    private Optional<Stamp> stamp() {
        return path.flatMap(file -> {
            try {
                return Optional.of(new Stamp(Files.getLastModifiedTime(file), Files.size(file)));
            } catch (IOException _) {
                return Optional.empty();
            }
        });
    }
}
