package dev.caisson.tools;

import dev.caisson.broker.ResourceSource;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.runs.PlainText;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.FileUris;
import dev.caisson.storage.Source;
import dev.caisson.storage.VolumeAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Resource source of threads and volumes: each is one whose content is the list of its files, and
/// each file is one by a template. Names are in [FileUris].
public final class FileResources implements ResourceSource {
    private static final String JSON = "application/json";

    /// A larger file is fetched by a link instead.
    static final int BYTES_MAX = FilesDownload.BYTES_MAX;

    private final FileService desk;

    public FileResources(FileService desk) {
        this.desk = desk;
    }

    @Override
    public Page list(Caller caller, Optional<String> after, int limit) {
        if (!FileService.reads(caller)) {
            return new Page(List.of(), Optional.empty());
        }
        var names = new ArrayList<FileSpace>();
        desk.spaces().threads().ids(caller).stream().map(FileSpace::thread).forEach(names::add);
        desk.spaces().volumes().names(caller).stream().map(FileSpace::volume).forEach(names::add);
        return Page.of(names, after, limit, FileResources::resource);
    }

    private static Resource resource(FileSpace space) {
        var kind =
                switch (space.source()) {
                    case THREAD -> "Thread ";
                    case VOLUME -> "Volume ";
                };
        return new Resource(
                FileUris.of(space),
                space.id(),
                kind + space.id(),
                Optional.of("The list of its files."),
                JSON,
                Optional.empty());
    }

    @Override
    public List<Template> templates(Caller caller) {
        if (!FileService.reads(caller)) {
            return List.of();
        }
        return List.of(
                new Template(
                        FileUris.template(Source.THREAD),
                        "thread_file",
                        "A file of a thread",
                        Optional.empty(),
                        "application/octet-stream"),
                new Template(
                        FileUris.template(Source.VOLUME),
                        "volume_file",
                        "A file of a volume",
                        Optional.empty(),
                        "application/octet-stream"));
    }

    @Override
    public Optional<List<ResourceContents>> read(Call call, String uri)
            throws InterruptedException {
        var named = desk.spaces().readPath(() -> FileUris.parse(uri));
        if (named.isEmpty() || !FileService.reads(call.caller())) {
            return Optional.empty();
        }
        var space = named.get().space();
        try (var files = desk.spaces().open(call.caller(), space, VolumeAccess.READ)) {
            var path = named.get().path().filter(each -> !each.isRoot());
            return Optional.of(
                    List.of(
                            path.isPresent()
                                    ? file(files, space, path.get(), uri)
                                    : list(files, space, uri)));
        } catch (Refusal refusal) {
            if (refusal.reason() == Reason.NOT_FOUND) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    private static ResourceContents list(FileTree files, FileSpace space, String uri)
            throws InterruptedException {
        var page = files.list(FilePath.ROOT, true, Optional.empty(), FilesList.LIMIT_MAX);
        var list = Json.object();
        var items = list.putArray("files");
        for (var file : page.files()) {
            items.add(Records.tree(FileItem.of(file)).put("uri", FileUris.of(space, file.path())));
        }
        list.put("complete", page.complete() && page.next().isEmpty());
        return new ResourceContents.Text(uri, JSON, Json.text(list));
    }

    private static ResourceContents file(
            FileTree files, FileSpace space, FilePath path, String uri) {
        try (var content = files.read(path)) {
            var mediaType = content.file().mediaType().orElse("application/octet-stream");
            var bytes = content.atMost(BYTES_MAX).orElseThrow(() -> tooLarge(space, path));
            return PlainText.of(bytes)
                    .<ResourceContents>map(text -> new ResourceContents.Text(uri, mediaType, text))
                    .orElseGet(() ->
                            new ResourceContents.Blob(
                                    uri, mediaType, Base64.getEncoder().encodeToString(bytes)));
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
    }

    private static Refusal tooLarge(FileSpace space, FilePath path) {
        return new Refusal(
                Reason.TOO_LARGE,
                "%s of %s %s is larger than 1 MiB. Fetch it with files_download or POST /v1/files/download."
                        .formatted(path, space.source().word(), space.id()));
    }

    @Override
    public List<String> complete(
            Caller caller, String uriTemplate, String argument, String prefix) {
        if (!argument.equals("id") || !FileService.reads(caller)) {
            return List.of();
        }
        var ids =
                uriTemplate.equals(FileUris.template(Source.THREAD))
                        ? desk.spaces().threads().ids(caller)
                        : desk.spaces().volumes().names(caller);
        return ids.stream().filter(id -> id.startsWith(prefix)).toList();
    }
}
