package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.storage.Access;
import dev.caisson.storage.FileKind;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Links;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;
import dev.caisson.tools.FileDesk;
import java.util.List;
import java.util.Optional;

/// Files of threads and volumes: lists and deletions as the tools do them, and links to fetch and
/// to store.
record FileRoutes(ToolDoor tools, FileDesk desk) {
    record FileAddress(
            @Describe("What the file belongs to.") Source source,
            @Describe("The id of the thread, or the name of the volume.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String id,
            @Describe("From the root of the storage.") @Length(min = 1, max = 16_384) String path) {
        FileSpace space() {
            return new FileSpace(source, id);
        }
    }

    record Header(String name, String value) {}

    /// How to fetch a file.
    record FetchLink(
            String url,
            String method,
            List<Header> headers,
            String expiresAt,
            long size,
            Optional<String> mediaType) {}

    /// How to store a file.
    record StoreLink(String url, String method, List<Header> headers, String expiresAt) {}

    List<Route> routes() {
        return List.of(
                Route.post("/v1/files/list")
                        .named("listFiles", "The files of a thread or a volume")
                        .needing(Scope.FILES_READ)
                        .taking(Body.unchecked(tools.input("files_list", "FilesListInput")))
                        .giving(Reply.json(200, tools.output("files_list", "FilesList")))
                        .refusing(404)
                        .by(ask -> Response.ok(tools.call(ask, "files_list", ask.body()))),
                Route.post("/v1/files/download")
                        .named("downloadFile", "A link to fetch a file")
                        .needing(Scope.FILES_READ)
                        .taking(FileAddress.class)
                        .giving(FetchLink.class)
                        .refusing(404)
                        .by(this::download),
                Route.post("/v1/files/upload")
                        .named("uploadFile", "A link to store a file")
                        .needing(Scope.FILES_WRITE)
                        .taking(FileAddress.class)
                        .giving(StoreLink.class)
                        .refusing(404)
                        .by(this::upload),
                Route.post("/v1/files/delete")
                        .named("deleteFile", "Deletes a file or a directory")
                        .needing(Scope.FILES_WRITE)
                        .taking(Body.unchecked(tools.input("files_delete", "FilesDeleteInput")))
                        .giving(Reply.json(200, tools.output("files_delete", "FilesDeleted")))
                        .refusing(404, 409)
                        .by(ask -> Response.ok(tools.call(ask, "files_delete", ask.body()))));
    }

    private Response download(Ask ask) {
        var address = ask.body(FileAddress.class);
        var space = address.space();
        var path = desk.spaces().readPath(() -> space.path(address.path()));
        try (var files = desk.spaces().open(ask.caller(), space, Access.READ)) {
            var file = files.look(path);
            if (file.kind() != FileKind.FILE) {
                throw new Refusal(Reason.NOT_FOUND, path + " is not a regular file.");
            }
            var link = served(desk.links().toFetch(ask.caller(), space, path));
            return Response.ok(
                    Records.tree(
                            new FetchLink(
                                    link.url(),
                                    "GET",
                                    List.of(),
                                    link.expires().toString(),
                                    file.size(),
                                    file.mediaType())));
        }
    }

    /// The thread is made now: whoever has the link cannot say whose it is.
    private Response upload(Ask ask) {
        var address = ask.body(FileAddress.class);
        var space = address.space();
        var path = desk.spaces().readPath(() -> space.path(address.path()));
        if (path.isRoot()) {
            throw new Refusal(Reason.INVALID_ARGUMENT, "path must name a file.");
        }
        desk.spaces().open(ask.caller(), space, Access.WRITE).close();
        var link = served(desk.links().toStore(ask.caller(), space, path));
        return Response.ok(
                Records.tree(
                        new StoreLink(link.url(), "PUT", List.of(), link.expires().toString())));
    }

    private static Links.Made served(Optional<Links.Made> link) {
        return link.orElseThrow(
                () -> new Refusal(Reason.UNAVAILABLE, "The server does not serve links yet."));
    }
}
