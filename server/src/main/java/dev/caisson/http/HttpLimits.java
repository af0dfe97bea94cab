package dev.caisson.http;

import dev.caisson.share.Part;
import java.time.Duration;

/// What one client, and all clients together, may take from the listener.
///
/// @param bodyBytesMax the largest body a handler can read; a larger one is answered 413
/// @param headerBytesMax the request line and all header fields together; more is answered 431
/// @param requestTime how long a client may take to send the head and the body; slower is answered
///   408
/// @param requestsMax how many requests are worked on at the same time; one more is answered 429
/// @param streamsMax how many streams are open at the same time; one more is answered 429
/// @param streamBufferBytesMax how far the reader of a stream may fall behind before the next write
///   closes the stream
/// @param idleTime how long a connection may lie unused, or a stream's reader take nothing of what
///   was written
/// @param memory what bodies and answers may take
/// @param part the most of each that one caller may have
public record HttpLimits(
        int bodyBytesMax,
        int headerBytesMax,
        Duration requestTime,
        int requestsMax,
        int streamsMax,
        int streamBufferBytesMax,
        Duration idleTime,
        HttpMemory memory,
        Part part) {
    public static final HttpLimits DEFAULT =
            new HttpLimits(
                    8 * 1024 * 1024,
                    16 * 1024,
                    Duration.ofSeconds(30),
                    512,
                    10_000,
                    1024 * 1024,
                    Duration.ofSeconds(60),
                    HttpMemory.ofHeap(Runtime.getRuntime().maxMemory(), 8 * 1024 * 1024),
                    Part.DEFAULT);

    public HttpLimits {
        positive("bodyBytesMax", bodyBytesMax);
        positive("headerBytesMax", headerBytesMax);
        positive("requestsMax", requestsMax);
        positive("streamsMax", streamsMax);
        positive("streamBufferBytesMax", streamBufferBytesMax);
        positive("requestTime", requestTime.toMillis());
        positive("idleTime", idleTime.toMillis());
    }

    public HttpLimits withBodyBytesMax(int bytes) {
        return new HttpLimits(
                bytes,
                headerBytesMax,
                requestTime,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                idleTime,
                memory,
                part);
    }

    public HttpLimits withHeaderBytesMax(int bytes) {
        return new HttpLimits(
                bodyBytesMax,
                bytes,
                requestTime,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                idleTime,
                memory,
                part);
    }

    HttpLimits withRequestTime(Duration time) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                time,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                idleTime,
                memory,
                part);
    }

    HttpLimits withRequestsMax(int requests) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requests,
                streamsMax,
                streamBufferBytesMax,
                idleTime,
                memory,
                part);
    }

    HttpLimits withStreamsMax(int streams) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streams,
                streamBufferBytesMax,
                idleTime,
                memory,
                part);
    }

    HttpLimits withStreamBufferBytesMax(int bytes) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streamsMax,
                bytes,
                idleTime,
                memory,
                part);
    }

    HttpLimits withIdleTime(Duration time) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                time,
                memory,
                part);
    }

    HttpLimits withMemory(HttpMemory changed) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                idleTime,
                changed,
                part);
    }

    /// How many connections are held at the same time. Room for every stream, and for twice as many
    /// clients as can be served at once.
    int connectionsMax() {
        return streamsMax + 2 * requestsMax;
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
