package dev.caisson.rest;

import java.util.concurrent.Callable;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Facts about the server as a whole, for REST.
///
/// @param baseUrl where clients reach it, known once it listens; without a slash at its end
/// @param auth whether callers need a key
/// @param doctor attacks a sandbox of its own and says what holds
public record ServerFacts(
        String version,
        Supplier<String> baseUrl,
        boolean auth,
        Supplier<ServerStatus> status,
        Callable<ObjectNode> doctor) {}
