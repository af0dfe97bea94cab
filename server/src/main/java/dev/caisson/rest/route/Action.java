package dev.caisson.rest.route;

/// Action of a route: makes its response.
@FunctionalInterface
public interface Action {
    /// @throws dev.caisson.call.Refusal which becomes the answer of its reason
    Response answer(RouteRequest ask) throws Exception;
}
