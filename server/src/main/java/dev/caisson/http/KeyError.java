package dev.caisson.http;

import dev.caisson.json.Describe;

/// The body of a 401. Whoever has no key is told these two things and nothing else.
public record KeyError(
        @Describe("One word.") String error,
        @Describe("What is wrong with the key, and how to send one.") String message) {}
