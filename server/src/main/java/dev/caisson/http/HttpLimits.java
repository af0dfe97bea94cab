package dev.caisson.http;

import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import dev.caisson.share.ShareLimit;
import java.time.Duration;

/// Limits of the listener on what one client, and all clients together, may take from it.
///
/// @param idleTime how long a connection may lie unused, or a stream's reader take nothing of what
///   was written
/// @param memory what bodies and answers may take
/// @param part the most of each that one caller may have
public record HttpLimits(
        Requests requests,
        Streams streams,
        @Fixed("60s") Duration idleTime,
        HttpMemory memory,
        ShareLimit part) {
    public static final HttpLimits DEFAULT = Defaults.of(HttpLimits.class);

    /// Limits of requests.
    ///
    /// @param bodyBytesMax the largest body a handler can read; a larger one is answered 413
    /// @param headerBytesMax the request line and all header fields together; more is answered 431
    /// @param time how long a client may take to send the head and the body; slower is answered 408
    /// @param max how many are worked on at the same time; one more is answered 429
    public record Requests(
            @Key(
                            name = "http.body_bytes_max",
                            initial = "8MiB",
                            min = "1KiB",
                            max = "1GiB",
                            doc = "The largest body of a request.")
                    int bodyBytesMax,
            @Key(
                            name = "http.header_bytes_max",
                            initial = "16KiB",
                            min = "1KiB",
                            max = "1MiB",
                            doc = "The most bytes of a request's headers together.")
                    int headerBytesMax,
            @Key(
                            name = "http.request_time",
                            initial = "30s",
                            min = "1s",
                            max = "1h",
                            doc = "How long a client may take to send a request.")
                    Duration time,
            @Key(
                            name = "http.requests_max",
                            initial = "512",
                            min = "1",
                            max = "100000",
                            doc = "Requests being worked on at once.")
                    int max) {
        public Requests {
            positive("bodyBytesMax", bodyBytesMax);
            positive("headerBytesMax", headerBytesMax);
            positive("time", time.toMillis());
            positive("max", max);
        }
    }

    /// Limits of streams.
    ///
    /// @param max how many are open at the same time; one more is answered 429
    /// @param bufferBytesMax how far the reader of one may fall behind before the next write closes
    ///   it
    public record Streams(
            @Key(
                            name = "http.streams_max",
                            initial = "10000",
                            min = "1",
                            max = "1000000",
                            doc = "Open streams at once.")
                    int max,
            @Fixed("1MiB") int bufferBytesMax) {
        public Streams {
            positive("max", max);
            positive("bufferBytesMax", bufferBytesMax);
        }
    }

    public HttpLimits {
        positive("idleTime", idleTime.toMillis());
    }

    /// How many connections are held at the same time. Room for every stream, and for twice as many
    /// clients as can be served at once.
    int connectionsMax() {
        return streams.max() + 2 * requests.max();
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
