package dev.caisson.http;

/// How much memory requests and answers may take together, by share of each caller.
///
/// @param bodiesBytesMax for bodies of requests from their announcement to the end of their
///   request; a body counts with [#PER_BODY_BYTE] times its length
/// @param answersBytesMax for what was written and waits for its reader
public record HttpMemory(long bodiesBytesMax, long answersBytesMax) {
    /// What a byte of a body takes until its request is over: the bytes, the text, and the tree of
    /// JSON values that is made of it.
    public static final int PER_BODY_BYTE = 8;

    /// Bytes of each answer that are not counted. Most answers are shorter.
    static final int UNCOUNTED_BYTES = 16 * 1024;

    public HttpMemory {
        if (bodiesBytesMax <= 0 || answersBytesMax <= 0) {
            throw new IllegalArgumentException("memory must be positive");
        }
    }

    /// A quarter of the heap for bodies, at least two of the largest so that two callers can send
    /// one, and an eighth for answers.
    public static HttpMemory ofHeap(long heapBytes, long bodyBytesMax) {
        return new HttpMemory(
                Math.max(heapBytes / 4, 2 * PER_BODY_BYTE * bodyBytesMax),
                Math.max(heapBytes / 8, 1024 * 1024));
    }
}
