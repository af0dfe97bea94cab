package dev.caisson.rest;

import static dev.caisson.call.Scope.ADMIN;

import dev.caisson.actions.ProfileActions;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Records;
import dev.caisson.profiles.ProfileBody;
import dev.caisson.profiles.ProfileView;
import dev.caisson.profiles.Profiles;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import java.util.List;

/// Routes of profiles: list, show, set, remove. Values of secrets go in and never come out.
record ProfileRoutes(Profiles profiles, ProfileActions actions) {
    record ProfileList(List<ProfileView> profiles) {}

    List<Route> routes() {
        return List.of(
                Route.get("/v1/profiles")
                        .named("listProfiles", "What the sandboxes of keys get")
                        .needing(ADMIN)
                        .giving(ProfileList.class)
                        .by(_ -> list()),
                Route.get("/v1/profiles/{name}")
                        .named("getProfile", "One profile, without the values of its secrets")
                        .needing(ADMIN)
                        .giving(ProfileView.class)
                        .by(this::get),
                Route.put("/v1/profiles/{name}")
                        .named("setProfile", "Store a profile, in place of the one of that name")
                        .needing(ADMIN)
                        .taking(ProfileBody.class)
                        .giving(ProfileView.class)
                        .by(this::put),
                Route.delete("/v1/profiles/{name}")
                        .named("removeProfile", "Remove a stored profile that no key has")
                        .needing(ADMIN)
                        .giving(Reply.empty(204))
                        .refusing(409)
                        .by(this::remove));
    }

    private Response list() {
        return Response.ok(
                Records.tree(
                        new ProfileList(profiles.list().stream().map(ProfileView::of).toList())));
    }

    private Response get(RouteRequest ask) {
        var found =
                profiles.find(ask.place("name"))
                        .orElseThrow(() ->
                                new Refusal(Reason.NOT_FOUND, "There is no profile of this name."));
        return Response.ok(Records.tree(ProfileView.of(found)));
    }

    private Response put(RouteRequest ask) throws InterruptedException {
        var stored =
                actions.put(
                        RestConversation.inline(ask),
                        ask.place("name"),
                        ask.body(),
                        () -> wanted(ask));
        return Response.ok(Records.tree(ProfileView.of(stored)));
    }

    private static ProfileActions.Wanted wanted(RouteRequest ask) {
        for (var member : List.of("env_vars", "secret_env_vars")) {
            KeyRoutes.requireFits(ask.body(), member, ProfileBody.VARIABLES_BYTES_MAX);
        }
        var body = ask.body(ProfileBody.class);
        return new ProfileActions.Wanted(body.settings(), body.keptSecrets());
    }

    private Response remove(RouteRequest ask) throws InterruptedException {
        actions.remove(RestConversation.inline(ask), ask.place("name"));
        return Response.empty(204);
    }
}
