package dev.caisson.rest.files;

import dev.caisson.actions.VolumeActions;
import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Paging;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.storage.FileService;
import dev.caisson.storage.VolumeAccess;
import dev.caisson.storage.VolumeInfo;
import dev.caisson.storage.Volumes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Routes of named volumes and of the grants to use them.
public record VolumeRoutes(FileService desk, VolumeActions actions) {
    /// How a key is called among the callers.
    private static final String KEY = "key:";

    record NewVolume(
            @Describe("Small letters, digits, hyphens and underscores.") @Length(min = 1, max = 63)
                    String name) {}

    record NewGrant(VolumeAccess access) {}

    record Grant(String key, VolumeAccess access) {}

    record VolumeView(
            String name,
            @Describe("The name of the key that made it.") String owner,
            List<Grant> grants,
            long bytesUsed,
            Optional<Long> bytesMax,
            long filesUsed,
            Optional<Long> filesMax,
            String createdAt) {
        static VolumeView of(VolumeInfo info) {
            return new VolumeView(
                    info.name(),
                    info.owner(),
                    info.grants().entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .map(entry -> new Grant(key(entry.getKey()), entry.getValue()))
                            .toList(),
                    info.usage().bytesUsed(),
                    info.usage().bytesMax(),
                    info.usage().filesUsed(),
                    info.usage().filesMax(),
                    info.created().toString());
        }

        private static String key(String caller) {
            return caller.startsWith(KEY) ? caller.substring(KEY.length()) : caller;
        }
    }

    record VolumePage(List<VolumeView> volumes, Optional<String> nextCursor) {}

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/volumes")
                        .named("listVolumes", "The volumes this key may use")
                        .needing(Scope.FILES_READ)
                        .with(Paging.limit(), Paging.cursor())
                        .giving(VolumePage.class)
                        .by(this::list),
                Route.post("/v1/volumes")
                        .named("createVolume", "Makes a volume")
                        .needing(Scope.FILES_WRITE)
                        .taking(NewVolume.class)
                        .giving(201, VolumeView.class)
                        .refusing(409)
                        .by(this::create),
                Route.get("/v1/volumes/{name}")
                        .named("getVolume", "A volume, who may use it, and how full it is")
                        .needing(Scope.FILES_READ)
                        .giving(VolumeView.class)
                        .by(ask ->
                                Response.ok(view(volumes().info(ask.caller(), ask.place("name"))))),
                Route.delete("/v1/volumes/{name}")
                        .named("deleteVolume", "Deletes a volume with all its files")
                        .needing(Scope.FILES_WRITE)
                        .giving(Reply.empty(204))
                        .refusing(409)
                        .by(this::delete),
                Route.put("/v1/volumes/{name}/grants/{key}")
                        .named("grantVolume", "Lets another key use a volume")
                        .needing(Scope.FILES_WRITE)
                        .taking(NewGrant.class)
                        .giving(VolumeView.class)
                        .by(this::grant),
                Route.delete("/v1/volumes/{name}/grants/{key}")
                        .named("revokeVolume", "Ends the use of a volume by another key")
                        .needing(Scope.FILES_WRITE)
                        .giving(Reply.empty(204))
                        .by(this::revoke));
    }

    private Volumes volumes() {
        return desk.spaces().volumes();
    }

    private static JsonNode view(VolumeInfo info) {
        return Records.tree(VolumeView.of(info));
    }

    private Response list(RouteRequest ask) {
        var page = Paging.of(ask, volumes().names(ask.caller()));
        var views =
                page.names().stream()
                        .map(name -> VolumeView.of(volumes().info(ask.caller(), name)))
                        .toList();
        return Response.ok(Records.tree(new VolumePage(views, page.next())));
    }

    private Response create(RouteRequest ask) throws InterruptedException {
        var name = ask.body(NewVolume.class).name();
        var info = actions.create(RestConversation.inline(ask), name);
        return Response.json(201, view(info)).with("Location", "/v1/volumes/" + name);
    }

    private Response delete(RouteRequest ask) throws InterruptedException {
        actions.delete(RestConversation.inline(ask), ask.place("name"));
        return Response.empty(204);
    }

    private Response grant(RouteRequest ask) throws InterruptedException {
        var access = ask.body(NewGrant.class).access();
        var info =
                actions.grant(
                        RestConversation.inline(ask), ask.place("name"), grantee(ask), access);
        return Response.ok(view(info));
    }

    private Response revoke(RouteRequest ask) throws InterruptedException {
        actions.revoke(RestConversation.inline(ask), ask.place("name"), grantee(ask));
        return Response.empty(204);
    }

    private static String grantee(RouteRequest ask) {
        return KEY + ask.place("key");
    }
}
