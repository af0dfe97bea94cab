package dev.caisson.storage;

import dev.caisson.linux.LoopImages;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.image.OpenWorkspaces;
import dev.caisson.storage.volume.VolumeRefusals;
import dev.caisson.storage.volume.VolumeRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/// Files of volumes, a directory for each by its id: made, opened, measured and erased.
final class VolumeFiles implements AutoCloseable {
    private final Path root;
    private final WorkspaceMaker maker;
    private final OpenWorkspaces places;

    VolumeFiles(Path root, WorkspaceMaker maker) {
        this.maker = maker;
        this.places = new OpenWorkspaces(maker);
        try {
            this.root = HashedNames.privateDirectory(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Erases what is there and is not kept.
    void eraseAllBut(Predicate<String> kept) {
        try (var directories = Files.newDirectoryStream(root)) {
            for (var directory : directories) {
                if (!kept.test(String.valueOf(directory.getFileName()))) {
                    Erasure.erase(directory);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// @param holder whose share of the disk it takes
    void make(String id, String holder) {
        try {
            HashedNames.privateDirectory(root.resolve(id));
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be made", e);
        }
        open(id, holder).close();
    }

    void erase(String id) {
        Erasure.erase(root.resolve(id));
    }

    /// Erases one that nobody uses, after something else was done.
    ///
    /// @throws dev.caisson.call.Refusal CONFLICT when it is in use
    void eraseUnused(String id, Runnable before) {
        try {
            boolean erased =
                    places.aloneAnywhere(
                            root.resolve(id),
                            () -> {
                                before.run();
                                erase(id);
                            });
            if (!erased) {
                throw VolumeRefusals.inUse();
            }
        } catch (LoopImages.InUse e) {
            throw VolumeRefusals.inUse();
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be deleted", e);
        }
    }

    Usage usage(String id, CallerWorkers computing) {
        try {
            return Usage.of(places.room(root.resolve(id), computing));
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be looked at", e);
        }
    }

    /// What all of them hold.
    StorageFigures.Total total(StorageFigures.Adding adding, CallerWorkers computing) {
        return adding.of(root, places, computing);
    }

    /// @param holder whose share of the disk it takes while it is open
    OpenWorkspaces.Use use(VolumeRows.Row row, String holder) {
        if (!maker.isThere(root.resolve(row.id()))) {
            throw VolumeRefusals.filesLost(row.name());
        }
        return open(row.id(), holder);
    }

    private OpenWorkspaces.Use open(String id, String holder) {
        try {
            return places.use(root.resolve(id), holder);
        } catch (LoopImages.InUse e) {
            throw VolumeRefusals.usedElsewhere();
        } catch (IOException e) {
            throw new UncheckedIOException("a volume cannot be opened", e);
        }
    }

    /// Closes volumes that nobody uses any more.
    @Override
    public void close() {
        places.close();
    }
}
