package dev.caisson.rest;

import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.storage.Access;
import dev.caisson.storage.VolumeInfo;
import dev.caisson.storage.Volumes;
import dev.caisson.tools.FileDesk;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Named volumes, and who may use them.
record VolumeRoutes(FileDesk desk) {
    private static final Parameter.Bounds LIMIT = new Parameter.Bounds(1, 200, 50);

    /// How a key is called among the callers.
    private static final String KEY = "key:";

    record NewVolume(
            @Describe("Small letters, digits, hyphens and underscores.") @Length(min = 1, max = 63)
                    String name) {}

    record NewGrant(Access access) {}

    record Grant(String key, Access access) {}

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

    List<Route> routes() {
        return List.of(
                Route.get("/v1/volumes")
                        .named("listVolumes", "The volumes this key may use")
                        .needing(Scope.FILES_READ)
                        .with(
                                Parameter.number("limit", "How many at most.", LIMIT),
                                Parameter.query("cursor", "The next_cursor of the page before."))
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

    private Response list(Ask ask) {
        var limit = (int) ask.number("limit", LIMIT);
        var after = ask.query("cursor").orElse("");
        var names =
                volumes().names(ask.caller()).stream()
                        .filter(name -> name.compareTo(after) > 0)
                        .limit(limit + 1L)
                        .toList();
        var page = names.size() > limit ? names.subList(0, limit) : names;
        var views =
                page.stream()
                        .map(name -> VolumeView.of(volumes().info(ask.caller(), name)))
                        .toList();
        return Response.ok(
                Records.tree(
                        new VolumePage(
                                views,
                                names.size() > limit
                                        ? Optional.of(page.getLast())
                                        : Optional.empty())));
    }

    private Response create(Ask ask) {
        var name = ask.body(NewVolume.class).name();
        var info = volumes().create(ask.caller(), name);
        desk.volumesChanged();
        return Response.json(201, view(info)).with("Location", "/v1/volumes/" + name);
    }

    private Response delete(Ask ask) {
        var name = ask.place("name");
        volumes().delete(ask.caller(), name);
        desk.volumesChanged();
        return Response.empty(204);
    }

    private Response grant(Ask ask) {
        var access = ask.body(NewGrant.class).access();
        var info = volumes().grant(ask.caller(), ask.place("name"), KEY + ask.place("key"), access);
        desk.volumesChanged();
        return Response.ok(view(info));
    }

    private Response revoke(Ask ask) {
        volumes().revoke(ask.caller(), ask.place("name"), KEY + ask.place("key"));
        desk.volumesChanged();
        return Response.empty(204);
    }
}
