package dev.caisson.mcp;

import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import dev.caisson.share.ShareLimit;
import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Limits on what clients may make the server hold, and for how long, by subject.
///
/// @param pageSize items in one page of a list
public record McpLimits(
        @Key(
                        name = "mcp.page_size",
                        initial = "100",
                        min = "1",
                        max = "1000",
                        doc = "Items on one page of a list.")
                int pageSize,
        Replies replies,
        Questions questions,
        Tasks tasks,
        Sessions sessions,
        Replay replay,
        Channels channels,
        Subscriptions subscriptions) {
    public static final McpLimits DEFAULT = Defaults.of(McpLimits.class);

    public McpLimits {
        requirePositive(pageSize);
    }

    /// Times of answers that are streams.
    ///
    /// @param quiet how long a call may take before its answer becomes a stream
    /// @param beat how often the stream of a call shows that it lives
    /// @param idleBeat how often a stream that only listens does
    /// @param answerWithin when a client that follows no tasks is answered, though its program runs
    ///   on; zero for never
    public record Replies(
            @Fixed("200ms") Duration quiet,
            @Key(
                            name = "mcp.heartbeat",
                            initial = "1s",
                            min = "100ms",
                            max = "1m",
                            doc = "How often an open stream of a call in progress shows life.")
                    Duration beat,
            @Fixed("15s") Duration idleBeat,
            @Key(
                            name = "mcp.answer_within",
                            initial = "45s",
                            min = "0s",
                            max = "1d",
                            doc =
                                    "When a run of a client that follows no tasks is answered with its"
                                            + " output so far, while its program runs on. Common clients"
                                            + " give up after 60 s. 0s answers when the program has"
                                            + " ended.")
                    Duration answerWithin) {
        public Replies {
            requirePositive(quiet, beat, idleBeat);
            if (answerWithin.isNegative()) {
                throw new IllegalArgumentException("a time limit is not negative");
            }
        }
    }

    /// Limits of questions to a client.
    ///
    /// @param answerTimeout how long a client may take to answer one
    /// @param stateLife how long a `requestState` can be used to continue
    /// @param stateBytes how large one may be
    public record Questions(
            @Fixed("5m") Duration answerTimeout,
            @Fixed("1h") Duration stateLife,
            @Fixed("256KiB") int stateBytes) {
        public Questions {
            requirePositive(answerTimeout, stateLife);
            requirePositive(stateBytes);
        }
    }

    /// Times of tasks.
    ///
    /// @param keep how long one can be asked for
    /// @param poll how often a client should ask
    public record Tasks(
            @Key(
                            name = "mcp.task_keep",
                            initial = "1d",
                            min = "1s",
                            max = "365d",
                            doc = "How long the result of a task is kept at most.")
                    Duration keep,
            @Fixed("1s") Duration poll) {
        public Tasks {
            requirePositive(keep, poll);
        }
    }

    /// Limits of legacy sessions.
    ///
    /// @param count how many we remember; beyond it the idlest are forgotten
    /// @param idle after which the streams of one are forgotten
    /// @param life how long the id of one is accepted at all
    /// @param streams of one; beyond it the oldest finished ones are forgotten, and a call that
    ///   would need one more is refused
    public record Sessions(
            @Key(
                            name = "mcp.sessions_max",
                            initial = "10000",
                            min = "1",
                            max = "1000000",
                            doc = "Sessions of legacy clients at once.")
                    int count,
            @Key(
                            name = "mcp.session_idle",
                            initial = "10m",
                            min = "1s",
                            max = "30d",
                            doc =
                                    "How long the streams of an unused session can be taken up again.")
                    Duration idle,
            @Fixed("30d") Duration life,
            @Fixed("32") int streams) {
        public Sessions {
            requirePositive(count, streams);
            requirePositive(idle, life);
        }
    }

    /// Limits of what is kept of legacy streams for replay.
    ///
    /// @param streamEvents of one stream
    /// @param streamBytes of them; the newest event is always kept. Less than a reader may be
    ///   behind, so that a replay fits
    /// @param bytes over all sessions; beyond it the idlest sessions lose theirs
    public record Replay(
            @Fixed("256") int streamEvents,
            @Fixed("512KiB") int streamBytes,
            @Fixed("64MiB") long bytes) {
        public Replay {
            requirePositive(streamEvents, streamBytes, bytes);
        }
    }

    /// Limits of connections that carry many requests: stdio and HTTP+SSE.
    ///
    /// @param calls how many requests, and how many subscriptions, may be under way
    /// @param lineBytes how long one message over stdio may be
    /// @param drain how long calls in flight get when their channel ends
    public record Channels(
            @Fixed("64") int calls, @Fixed("16MiB") int lineBytes, @Fixed("2s") Duration drain) {
        public Channels {
            requirePositive(calls, lineBytes);
            requirePositive(drain);
        }
    }

    /// Limits of subscriptions.
    ///
    /// @param bytes memory for the URIs of all of them
    /// @param part the most of it that one caller may have
    public record Subscriptions(
            @Key(
                            name = "mcp.subscriptions_bytes_max",
                            initial = "16MiB",
                            min = "64KiB",
                            max = "1TiB",
                            doc = "Memory for the URIs that clients watch, all together.")
                    long bytes,
            ShareLimit part) {
        public Subscriptions {
            requirePositive(bytes);
        }
    }

    private static void requirePositive(Duration... limits) {
        requirePositive(Stream.of(limits).mapToLong(Duration::toNanos).toArray());
    }

    private static void requirePositive(long... limits) {
        if (LongStream.of(limits).anyMatch(limit -> limit < 1)) {
            throw new IllegalArgumentException("every limit must be positive");
        }
    }
}
