package dev.caisson;

import dev.caisson.cli.Product;
import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.ThreadMeta;
import dev.caisson.storage.ThreadViewer;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Optional;

/// Commands `thread list`, `thread files` and `thread cat`: the operator's view of threads.
/// Programs chose the names in them, so control characters are escaped before a terminal sees them.
final class ThreadInspection {
    private final Config config;

    ThreadInspection(Config config) {
        this.config = config;
    }

    private interface Use {
        void of(ThreadViewer viewer) throws IOException, InterruptedException;
    }

    private int viewing(Use use) throws IOException, InterruptedException {
        try (var workers = HostSettings.workers(config.shares())) {
            var threads = config.data().threadsDirectory();
            use.of(new ThreadViewer(threads, images(), workers));
            return Product.OK;
        }
    }

    private Optional<WorkspaceMaker> images() {
        if (LoopImages.missing().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                new ImageWorkspaces(
                        new LoopImages(HostSettings.USER_ON_DISK),
                        new HostDisk(config.data().threadsDirectory(), 0),
                        config.files().workspace().bytes(),
                        config.files().workspace().files()));
    }

    int list(boolean json, PrintWriter out) throws IOException, InterruptedException {
        return viewing(viewer -> {
            var array = Json.object().arrayNode();
            for (var thread : viewer.list()) {
                if (json) {
                    array.addObject()
                            .put("id", thread.id())
                            .put("owner", thread.owner())
                            .put("owner_name", thread.ownerName())
                            .put("last_used", thread.lastUsed())
                            .put("directory", thread.place());
                } else {
                    out.println(line(thread));
                }
            }
            if (json) {
                out.println(Printable.json(Json.pretty(array)));
            }
            out.flush();
        });
    }

    private static String line(ThreadMeta thread) {
        return "%s  %s  %s (%s)  %s"
                .formatted(
                        known(thread.lastUsed()),
                        known(thread.id()),
                        known(thread.ownerName()),
                        known(thread.owner()),
                        thread.place());
    }

    /// What nobody knows is not left out: a line has as many words as any other.
    private static String known(String text) {
        return text.isEmpty() ? "-" : Printable.text(text);
    }

    int files(String name, String path, boolean json, PrintWriter out)
            throws IOException, InterruptedException {
        return viewing(viewer ->
                viewer.look(
                        viewer.find(name),
                        tree -> {
                            var array = Json.object().arrayNode();
                            for (var file : ThreadViewer.all(tree, path)) {
                                if (json) {
                                    array.addObject()
                                            .put("path", file.path().text())
                                            .put("kind", file.kind().word())
                                            .put("size", file.size())
                                            .put("modified", file.modified().toString());
                                } else {
                                    out.println(line(file));
                                }
                            }
                            if (json) {
                                out.println(Printable.json(Json.pretty(array)));
                            }
                            out.flush();
                        }));
    }

    private static String line(StoredFile file) {
        return "%-9s %12d  %s  %s"
                .formatted(
                        file.kind().word(),
                        file.size(),
                        file.modified(),
                        Printable.text(file.path().text()));
    }

    int print(String name, String path, OutputStream out) throws IOException, InterruptedException {
        return viewing(viewer ->
                viewer.look(
                        viewer.find(name),
                        tree -> {
                            ThreadViewer.copy(tree, path, out);
                            out.flush();
                        }));
    }
}
