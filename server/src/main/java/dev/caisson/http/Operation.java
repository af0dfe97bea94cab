package dev.caisson.http;

import java.util.concurrent.CompletableFuture;

/// Handler of an operator's question, such as `/healthz`. Called on a thread that answers
/// everybody, so it must not wait: what takes time completes later, on a thread that may not wait
/// either.
@FunctionalInterface
interface Operation {
    /// @param type of the content
    @SuppressWarnings("ArrayRecordComponent") // Findings are never compared.
    record Finding(int status, String type, byte[] content) {}

    CompletableFuture<Finding> find();
}
