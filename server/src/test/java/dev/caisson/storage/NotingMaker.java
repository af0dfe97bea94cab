package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/// Maker of workspaces that notes in whose name they are opened.
record NotingMaker(WorkspaceMaker maker, Collection<String> holders) implements WorkspaceMaker {
    @Override
    public boolean isThere(Path directory) {
        return true;
    }

    @Override
    public Opened open(Path directory, String holder) throws IOException {
        holders.add(holder);
        return maker.open(directory, holder);
    }

    @Override
    public DiskUsage room(Path directory) throws IOException {
        return maker.room(directory);
    }

    @Override
    public String capacity() {
        return maker.capacity();
    }
}
