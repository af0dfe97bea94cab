package dev.caisson.rest.files;

import dev.caisson.actions.ThreadActions;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.rest.route.PacedOutput;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.DisconnectWatch;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.storage.ArchiveFormat;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.FileService;
import dev.caisson.storage.ThreadInfo;
import dev.caisson.storage.Threads;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Routes of the threads of a caller. Not every id can stand in a path, such as one with a slash or
/// `..`: each thread has a key that can, and is found by either.
public record ThreadRoutes(
        FileService desk,
        ThreadActions actions,
        ArchiveLimits archives,
        FileEventStream following) {
    /// @param bytesMax absent where only the host's disk is the limit
    record ThreadView(
            String id,
            @Describe("Stands for the id in a path, where not every id can.") String key,
            long bytesUsed,
            @Describe("Absent where only the disk is the limit.") Optional<Long> bytesMax,
            long filesUsed,
            Optional<Long> filesMax,
            String modifiedAt,
            @Describe("Whether a program runs in it now.") boolean busy,
            @Describe("Its files are not there any more: restore them, or delete the thread.")
                    boolean filesLost) {
        static ThreadView of(Caller caller, ThreadInfo info) {
            return new ThreadView(
                    info.id(),
                    Threads.place(caller, info.id()),
                    info.usage().bytesUsed(),
                    info.usage().bytesMax(),
                    info.usage().filesUsed(),
                    info.usage().filesMax(),
                    info.modified().toString(),
                    info.busy(),
                    info.filesLost());
        }
    }

    record ThreadPage(List<ThreadView> threads, Optional<String> nextCursor) {}

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/threads")
                        .named("listThreads", "The threads of this key, in the order of their ids")
                        .needing(Scope.FILES_READ)
                        .with(Paging.limit(), Paging.cursor())
                        .giving(ThreadPage.class)
                        .by(this::list),
                Route.get("/v1/threads/{id}")
                        .named("getThread", "A thread, and how full it is")
                        .needing(Scope.FILES_READ)
                        .giving(ThreadView.class)
                        .by(ask -> Response.ok(Records.tree(view(ask.caller(), id(ask))))),
                Route.delete("/v1/threads/{id}")
                        .named("deleteThread", "Deletes a thread with all its files")
                        .needing(Scope.FILES_WRITE)
                        .giving(Reply.empty(204))
                        .refusing(409)
                        .by(this::delete),
                Route.get("/v1/threads/{id}/archive")
                        .named("archiveThread", "All files of a thread as one archive")
                        .needing(Scope.FILES_READ)
                        .with(Parameter.query("format", ArchiveFormat.words() + "; zip if absent."))
                        .giving(
                                new Reply(
                                        200,
                                        "The archive.",
                                        Arrays.stream(ArchiveFormat.values())
                                                .map(ArchiveFormat::mediaType)
                                                .toList(),
                                        Optional.empty()))
                        .refusing(413)
                        .by(this::archive),
                Route.get("/v1/threads/{id}/events")
                        .named(
                                "followThread",
                                "What happens to the files of a thread: uploads and deletions at"
                                        + " once, what a run did when it is over")
                        .needing(Scope.FILES_READ)
                        .giving(FileEventStream.REPLY)
                        .by(this::follow));
    }

    /// What the path says, be it an id or a key; where it is one thread's id and another's key, the
    /// id counts.
    private String id(RouteRequest ask) {
        var given = ask.place("id");
        var threads = desk.spaces().threads();
        return threads.idAt(ask.caller(), given)
                .filter(_ -> threads.find(ask.caller(), given).isEmpty())
                .orElse(given);
    }

    private ThreadView view(Caller caller, String id) {
        return ThreadView.of(caller, desk.spaces().threads().info(caller, id));
    }

    private Response list(RouteRequest ask) {
        var threads = desk.spaces().threads();
        var page = Paging.of(ask, threads.ids(ask.caller()));
        var views =
                page.names().stream()
                        .flatMap(id -> threads.listed(ask.caller(), id).stream())
                        .map(info -> ThreadView.of(ask.caller(), info))
                        .toList();
        return Response.ok(Records.tree(new ThreadPage(views, page.next())));
    }

    private Response delete(RouteRequest ask) throws InterruptedException {
        actions.delete(RestConversation.inline(ask), id(ask));
        return Response.empty(204);
    }

    private Response follow(RouteRequest ask) {
        var id = id(ask);
        desk.spaces().threads().info(ask.caller(), id);
        return following.answer(ask, id);
    }

    private Response archive(RouteRequest ask) throws IOException, InterruptedException {
        var word = ask.query("format").orElse(ArchiveFormat.ZIP.word());
        var format =
                ArchiveFormat.of(word)
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.INVALID_ARGUMENT,
                                        "format must be " + ArchiveFormat.words() + "."));
        var id = id(ask);
        var headers = new HashMap<>(FileHeaders.attachment(id + "." + format.word(), true));
        headers.put("Content-Type", format.mediaType());
        headers.put("Cache-Control", "no-store");
        try {
            DisconnectWatch.<Boolean, IOException>whileHere(
                    ask.exchange(),
                    () -> {
                        actions.archive(
                                RestConversation.inline(ask),
                                id,
                                format,
                                archives,
                                () -> new PacedOutput(ask.stream(200, headers)));
                        return true;
                    });
        } catch (PacedOutput.ReaderGone gone) {
            ask.exchange().note("ended", "the reader left");
        }
        return new Response.Begun();
    }
}
