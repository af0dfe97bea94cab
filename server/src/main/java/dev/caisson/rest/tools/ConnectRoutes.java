package dev.caisson.rest.tools;

import static dev.caisson.call.Scope.ADMIN;
import static dev.caisson.call.Scope.TOOLS;

import dev.caisson.actions.ConnectActions;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import java.util.List;

/// Route by which a person begins to connect an upstream in its browser, which ends at
/// `/oauth/callback`.
public final class ConnectRoutes {
    private final ConnectActions actions;

    public ConnectRoutes(ConnectActions actions) {
        this.actions = actions;
    }

    record ConnectBody(
            @Describe(
                            "With per: caller: whether the token is this server's own, with which it"
                                    + " lists tools. Only a key with the scope admin may say so.")
                    @DefaultsTo("false")
                    boolean server) {}

    record Connection(
            @Describe(
                            "The page of the authorization server. The browser that got this answer has to"
                                    + " visit it, within 10 minutes.")
                    String url) {}

    public List<Route> routes() {
        return List.of(
                Route.post("/v1/upstreams/{id}/connect")
                        .named(
                                "connectUpstream",
                                "Begin to connect an upstream at its authorization server. Sets a"
                                        + " cookie without which the way back leads nowhere")
                        .needing(TOOLS, ADMIN)
                        .taking(ConnectBody.class)
                        .giving(Connection.class)
                        .refusing(409, 502)
                        .by(this::connect));
    }

    private Response connect(RouteRequest ask) throws InterruptedException {
        var begun =
                actions.begin(
                        RestConversation.inline(ask),
                        ask.place("id"),
                        ask.body().path("server").asBoolean(false));
        return Response.ok(Records.tree(new Connection(begun.visit().toString())))
                .with("Set-Cookie", ConnectCookie.set(begun.cookie()));
    }
}
