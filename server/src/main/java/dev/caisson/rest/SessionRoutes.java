package dev.caisson.rest;

import dev.caisson.actions.SessionActions;
import dev.caisson.call.Scope;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteAccess;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.ExecutionRoutes;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.session.SessionInfo;
import java.util.List;
import java.util.Optional;

/// Routes of live sessions. A key sees and ends its own; one with the scope admin sees and ends
/// all, when it asks for them.
record SessionRoutes(SessionActions actions, KeyDirectory keys) {
    record SessionView(
            @Describe("By which it is ended.") String id,
            @Describe("The name of the key it belongs to.") String caller,
            String threadId,
            String language,
            String begunAt,
            @Describe("When a call in it last began or ended.") String lastUsedAt,
            @Describe("0 while a program runs in it.") long idleS,
            @Describe("Memory in use now; absent where nobody measures it.")
                    Optional<Long> memoryBytes,
            @Describe("Whether a program runs in it.") boolean busy) {
        static SessionView of(SessionInfo info, CallerNames names) {
            return new SessionView(
                    info.id(),
                    names.name(info.owner()),
                    info.threadId(),
                    info.language().word(),
                    info.begun().toString(),
                    info.lastUsed().toString(),
                    info.idle().toSeconds(),
                    info.memoryBytes(),
                    info.busy());
        }
    }

    record SessionList(List<SessionView> sessions) {}

    List<Route> routes() {
        return List.of(
                Route.get("/v1/sessions")
                        .named("listSessions", "Live sessions, those in use last first")
                        .needing(Scope.RUN)
                        .with(ExecutionRoutes.all())
                        .giving(SessionList.class)
                        .by(this::list),
                Route.delete("/v1/sessions/{id}")
                        .named(
                                "endSession",
                                "End a session with everything that runs in it; the files of its"
                                        + " thread stay")
                        .needing(Scope.RUN)
                        .with(ExecutionRoutes.all())
                        .giving(Reply.empty(204))
                        .by(this::end));
    }

    private Response list(RouteRequest ask) {
        var names = owner(ask).isPresent() ? CallerNames.of(ask.caller()) : CallerNames.of(keys);
        return Response.ok(
                Records.tree(
                        new SessionList(
                                actions.list(owner(ask)).stream()
                                        .map(info -> SessionView.of(info, names))
                                        .toList())));
    }

    private Response end(RouteRequest ask) throws InterruptedException {
        actions.end(RestConversation.inline(ask), owner(ask), ask.place("id"));
        return Response.empty(204);
    }

    private static Optional<String> owner(RouteRequest ask) {
        if (!ask.flag(ExecutionRoutes.ALL)) {
            return Optional.of(ask.caller().id());
        }
        RouteAccess.of(Scope.ADMIN).require(ask.caller());
        return Optional.empty();
    }
}
