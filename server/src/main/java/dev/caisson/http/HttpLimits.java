package dev.caisson.http;

import java.time.Duration;

/// What one client, and all clients together, may take from the listener.
///
/// @param bodyBytesMax the largest body a handler can read; a larger one is answered 413
/// @param headerBytesMax the request line and all header fields together; more is answered 431
/// @param requestTime how long a client may take to send the head and the body; slower is answered
///   408
/// @param requestsMax how many handlers run at the same time; one more is answered 503
/// @param streamsMax how many streams are open at the same time; one more is answered 503
/// @param streamBufferBytesMax how far the reader of a stream may fall behind before the next write
///   closes the stream
/// @param idleTime how long a connection may lie unused, or a stream's reader take nothing of what
///   was written
public record HttpLimits(
        int bodyBytesMax,
        int headerBytesMax,
        Duration requestTime,
        int requestsMax,
        int streamsMax,
        int streamBufferBytesMax,
        Duration idleTime) {
    public static final HttpLimits DEFAULT =
            new HttpLimits(
                    8 * 1024 * 1024,
                    16 * 1024,
                    Duration.ofSeconds(30),
                    512,
                    10_000,
                    1024 * 1024,
                    Duration.ofSeconds(60));

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
                idleTime);
    }

    public HttpLimits withHeaderBytesMax(int bytes) {
        return new HttpLimits(
                bodyBytesMax,
                bytes,
                requestTime,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                idleTime);
    }

    HttpLimits withRequestTime(Duration time) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                time,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                idleTime);
    }

    HttpLimits withRequestsMax(int requests) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requests,
                streamsMax,
                streamBufferBytesMax,
                idleTime);
    }

    HttpLimits withStreamsMax(int streams) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streams,
                streamBufferBytesMax,
                idleTime);
    }

    HttpLimits withStreamBufferBytesMax(int bytes) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streamsMax,
                bytes,
                idleTime);
    }

    HttpLimits withIdleTime(Duration time) {
        return new HttpLimits(
                bodyBytesMax,
                headerBytesMax,
                requestTime,
                requestsMax,
                streamsMax,
                streamBufferBytesMax,
                time);
    }

    /// How many connections are held at the same time; further ones wait to be accepted. Room for
    /// every stream, and for twice as many clients as can be served at once.
    int connectionsMax() {
        return streamsMax + 2 * requestsMax;
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
