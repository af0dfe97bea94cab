package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileKind;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Links;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.Upload;
import dev.caisson.storage.VolumeAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// Uploads and downloads by signed links, and the making of such links. A link that is not valid is
/// nobody's, and its use leaves no entry; from there on every use leaves one, in the name of the
/// caller who made the link.
public final class FileActions {
    /// Sends a file to the client.
    @FunctionalInterface
    public interface Sender {
        /// @param counted counts what goes through an output, also when its reader leaves
        void send(FileContent content, UnaryOperator<OutputStream> counted) throws IOException;
    }

    /// Hands over the bytes of a file as they come.
    @FunctionalInterface
    public interface Body {
        void read(Consumer<ByteBuffer> to);
    }

    /// A link to a file there is.
    public record FetchLink(Links.Made link, StoredFile file) {}

    private final Broker broker;
    private final FileService files;
    private final LinkMakers makers;

    FileActions(Broker broker, FileService files, LinkMakers makers) {
        this.broker = broker;
        this.files = files;
        this.makers = makers;
    }

    /// The caller in whose name a link is used.
    public Caller maker(Links.Verified link) {
        return makers.of(link);
    }

    /// Makes a link to fetch a file.
    public FetchLink linkToFetch(Call call, FileSpace space, String given)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.read("file_download_link", address(space, given)),
                noted -> {
                    var path = files.spaces().readPath(() -> space.path(given));
                    try (var tree = files.spaces().open(noted.caller(), space, VolumeAccess.READ)) {
                        var file = tree.look(path);
                        if (file.kind() != FileKind.FILE) {
                            throw new Refusal(Reason.NOT_FOUND, path + " is not a regular file.");
                        }
                        var link = files.links().toFetch(noted.caller(), space, path);
                        return new FetchLink(served(link), file);
                    }
                });
    }

    /// Makes a link to store a file. The thread is made now: the holder of a link cannot say whose
    /// it is.
    public Links.Made linkToStore(Call call, FileSpace space, String given)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("file_upload_link", address(space, given)),
                noted -> {
                    var path = files.spaces().readPath(() -> space.path(given));
                    if (path.isRoot()) {
                        throw new Refusal(Reason.INVALID_ARGUMENT, "path must name a file.");
                    }
                    files.spaces().open(noted.caller(), space, VolumeAccess.WRITE).close();
                    return served(files.links().toStore(noted.caller(), space, path));
                });
    }

    private static ObjectNode address(FileSpace space, String path) {
        return Json.object()
                .put("source", space.source().word())
                .put("id", space.id())
                .put("path", path);
    }

    private static Links.Made served(Optional<Links.Made> link) {
        return link.orElseThrow(
                () -> new Refusal(Reason.UNAVAILABLE, "The server does not serve links yet."));
    }

    /// Sends the file a link leads to.
    ///
    /// @param holder as for [Links#open]
    public void download(
            Call call,
            Links.Verified link,
            FilePath path,
            UnaryOperator<String> holder,
            Sender sender)
            throws IOException, InterruptedException {
        broker.<FilePath, IOException>act(
                call,
                ActionRequest.read("file_download", used(link, path)),
                noted -> {
                    try (var tree = files.links().open(link, holder);
                            var content = tree.read(path)) {
                        sender.send(content, to -> new NotedOutput(to, noted.notes()::handedOut));
                        return path;
                    }
                });
    }

    /// Stores the file a link was made for.
    ///
    /// @param expected what must be there for it; what it refuses is recorded
    public Upload.Stored upload(
            Call call,
            Links.Verified link,
            FileSpace space,
            FilePath path,
            UnaryOperator<String> holder,
            Supplier<Expected> expected,
            Body body)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("file_upload", used(link, path)),
                noted -> {
                    try (var tree = files.links().open(link, holder);
                            var upload = tree.upload(path, expected.get())) {
                        body.read(part -> {
                            files.uploads().count(noted.caller(), part.remaining());
                            upload.write(part);
                        });
                        var stored = upload.commit();
                        files.changedAt(
                                link.place(),
                                space,
                                List.of(path),
                                () -> List.of(FileEvent.of(stored)));
                        return stored;
                    }
                });
    }

    private static ObjectNode used(Links.Verified link, FilePath path) {
        return Json.object()
                .put("source", link.source().word())
                .put("at", link.place())
                .put("path", path.text());
    }
}
