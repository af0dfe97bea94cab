package dev.caisson.http;

/// Request handler: answers one request. Called on a virtual thread of its own, so it may block.
@FunctionalInterface
public interface Handler {
    /// Must end with exactly one of [Exchange#reply] or [Exchange#stream]. After `stream` it may
    /// return: an open stream needs no thread. A [dev.caisson.call.Refusal] becomes the HTTP answer
    /// of its reason; anything else is a fault and becomes a 500 with its number.
    void handle(Exchange exchange) throws Exception;
}
