package dev.caisson.rest.files;

import dev.caisson.actions.FileActions;
import dev.caisson.call.Scope;
import dev.caisson.json.Records;
import dev.caisson.rest.route.JsonBody;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.rest.runs.ToolDoor;
import dev.caisson.tools.FileAddress;
import java.util.List;
import java.util.Optional;

/// Files of threads and volumes: lists and deletions as the tools do them, and links to fetch and
/// to store.
public record FileRoutes(ToolDoor tools, FileActions actions) {
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

    public List<Route> routes() {
        return List.of(
                Route.post("/v1/files/list")
                        .named("listFiles", "The files of a thread or a volume")
                        .needing(Scope.FILES_READ)
                        .taking(JsonBody.unchecked(tools.input("files_list", "FilesListInput")))
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
                        .taking(JsonBody.unchecked(tools.input("files_delete", "FilesDeleteInput")))
                        .giving(Reply.json(200, tools.output("files_delete", "FilesDeleted")))
                        .refusing(404, 409)
                        .by(ask -> Response.ok(tools.call(ask, "files_delete", ask.body()))));
    }

    private Response download(RouteRequest ask) throws InterruptedException {
        var address = ask.body(FileAddress.class);
        var made =
                actions.linkToFetch(RestConversation.inline(ask), address.space(), address.path());
        return Response.ok(
                Records.tree(
                        new FetchLink(
                                made.link().url(),
                                "GET",
                                List.of(),
                                made.link().expires().toString(),
                                made.file().size(),
                                made.file().mediaType())));
    }

    private Response upload(RouteRequest ask) throws InterruptedException {
        var address = ask.body(FileAddress.class);
        var link =
                actions.linkToStore(RestConversation.inline(ask), address.space(), address.path());
        return Response.ok(
                Records.tree(
                        new StoreLink(link.url(), "PUT", List.of(), link.expires().toString())));
    }
}
