package dev.caisson.http;

import dev.caisson.config.Key;
import java.util.Optional;

/// Memory limits of the listener: what requests and answers may take together, by share of each
/// caller.
///
/// @param bodies for bodies of requests from their announcement to the end of their request; a body
///   counts with [#PER_BODY_BYTE] times its length
/// @param answers for what was written and waits for its reader
public record HttpMemory(
        @Key(
                        name = "http.bodies_bytes_max",
                        min = "64KiB",
                        max = "1TiB",
                        doc =
                                "Memory for the bodies of all requests, of which each takes eight"
                                        + " times its length; a quarter of the heap if absent.")
                Optional<Long> bodies,
        @Key(
                        name = "http.answers_bytes_max",
                        min = "64KiB",
                        max = "1TiB",
                        doc =
                                "Memory for answers that wait for their readers; an eighth of the"
                                        + " heap if absent.")
                Optional<Long> answers) {
    /// What a byte of a body takes until its request is over: the bytes, the text, and the tree of
    /// JSON values that is made of it.
    public static final int PER_BODY_BYTE = 8;

    /// Bytes of each answer that are not counted. Most answers are shorter.
    static final int UNCOUNTED_BYTES = 16 * 1024;

    public HttpMemory {
        if (bodies.filter(bytes -> bytes <= 0).isPresent()
                || answers.filter(bytes -> bytes <= 0).isPresent()) {
            throw new IllegalArgumentException("memory must be positive");
        }
    }

    public HttpMemory(long bodies, long answers) {
        this(Optional.of(bodies), Optional.of(answers));
    }

    /// A quarter of the heap unless the operator says otherwise, at least two of the largest bodies
    /// so that two callers can send one.
    long bodiesBytesMax(long bodyBytesMax) {
        return bodies.orElseGet(() ->
                Math.max(Runtime.getRuntime().maxMemory() / 4, 2 * PER_BODY_BYTE * bodyBytesMax));
    }

    /// An eighth of the heap unless the operator says otherwise.
    long answersBytesMax() {
        return answers.orElseGet(() -> Math.max(Runtime.getRuntime().maxMemory() / 8, 1024 * 1024));
    }
}
