package dev.caisson.rest.route;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Routing table: all routes, and which of them a request means.
public record RouteTable(List<Route> routes) {
    /// A route and the values in the path.
    public record Found(Route route, Map<String, String> places) {}

    public RouteTable {
        routes = List.copyOf(routes);
        requireUnique(routes);
    }

    public Optional<Found> find(String method, String path) {
        return Verb.of(method)
                .flatMap(verb ->
                        routes.stream()
                                .filter(route -> route.verb() == verb)
                                .flatMap(route ->
                                        route
                                                .path()
                                                .match(path)
                                                .map(places -> new Found(route, places))
                                                .stream())
                                .findFirst());
    }

    /// Why there is nothing to find.
    public RuntimeException missing(String path) {
        var allowed =
                routes.stream()
                        .filter(route -> route.path().match(path).isPresent())
                        .map(route -> route.verb().allowed())
                        .collect(Collectors.joining(", "));
        return allowed.isEmpty()
                ? new Refusal(
                        Reason.NOT_FOUND,
                        "There is nothing at this path; /v1/openapi.json lists what there is.")
                : HttpProblem.notAllowed(allowed);
    }

    private static void requireUnique(List<Route> routes) {
        var seen = new HashSet<String>();
        for (var route : routes) {
            if (!seen.add(route.verb() + " " + route.path().text()) || !seen.add(route.id())) {
                throw new IllegalArgumentException("two routes are " + route.id());
            }
        }
    }
}
