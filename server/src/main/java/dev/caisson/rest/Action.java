package dev.caisson.rest;

/// What a route does.
@FunctionalInterface
interface Action {
    /// @throws dev.caisson.call.Refusal which becomes the answer of its reason
    Response answer(Ask ask) throws Exception;
}
