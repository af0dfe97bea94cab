package dev.caisson.mcp;

import dev.caisson.share.Part;
import java.time.Duration;
import java.util.stream.LongStream;

/// What clients may make us hold, and for how long.
///
/// @param pageSize items in one page of a list
/// @param quiet how long a call may take before its answer becomes a stream
/// @param beat how often the stream of a call shows that it lives
/// @param idleBeat how often a stream that only listens does
/// @param answerTimeout how long a client may take to answer a question of ours
/// @param stateLife how long a `requestState` can be used to continue
/// @param stateBytes how large one may be
/// @param taskKeep how long a task can be asked for
/// @param taskPoll how often a client should ask
/// @param streamEvents how many events of one legacy stream are kept for replay
/// @param streamBytes how many bytes of them; the newest event is always kept. Less than a reader
///   may be behind, so that a replay fits
/// @param streamsPerSession beyond it the oldest finished ones are forgotten, and a call that would
///   need one more is refused
/// @param replayBytes how many bytes are kept for replay over all sessions; beyond it the idlest
///   sessions lose theirs
/// @param sessions how many legacy sessions we remember; beyond it the idlest are forgotten
/// @param sessionIdle after which a session's streams are forgotten
/// @param sessionLife how long a session id is accepted at all
/// @param callsPerChannel how many requests, and how many subscriptions, may be under way over
///   stdio or one HTTP+SSE connection
/// @param lineBytes how long one message over stdio may be
/// @param drain how long calls in flight get when their channel ends
/// @param subscriptionBytes memory for the URIs of all subscriptions
/// @param part the most of it that one caller may have
public record McpLimits(
        int pageSize,
        Duration quiet,
        Duration beat,
        Duration idleBeat,
        Duration answerTimeout,
        Duration stateLife,
        int stateBytes,
        Duration taskKeep,
        Duration taskPoll,
        int streamEvents,
        int streamBytes,
        int streamsPerSession,
        long replayBytes,
        int sessions,
        Duration sessionIdle,
        Duration sessionLife,
        int callsPerChannel,
        int lineBytes,
        Duration drain,
        long subscriptionBytes,
        Part part) {
    public static final McpLimits DEFAULT =
            new McpLimits(
                    100,
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(15),
                    Duration.ofMinutes(5),
                    Duration.ofHours(1),
                    256 << 10,
                    Duration.ofDays(1),
                    Duration.ofSeconds(1),
                    256,
                    512 << 10,
                    32,
                    64L << 20,
                    10_000,
                    Duration.ofMinutes(10),
                    Duration.ofDays(30),
                    64,
                    16 << 20,
                    Duration.ofSeconds(2),
                    16L << 20,
                    Part.DEFAULT);

    public McpLimits {
        requirePositive(
                pageSize,
                stateBytes,
                streamEvents,
                streamBytes,
                streamsPerSession,
                replayBytes,
                sessions,
                callsPerChannel,
                lineBytes,
                subscriptionBytes);
        requirePositive(
                quiet.toNanos(),
                beat.toNanos(),
                idleBeat.toNanos(),
                answerTimeout.toNanos(),
                stateLife.toNanos(),
                taskKeep.toNanos(),
                taskPoll.toNanos(),
                sessionIdle.toNanos(),
                sessionLife.toNanos(),
                drain.toNanos());
    }

    private static void requirePositive(long... limits) {
        if (LongStream.of(limits).anyMatch(limit -> limit < 1)) {
            throw new IllegalArgumentException("every limit must be positive");
        }
    }

    public McpLimits withPageSize(int items) {
        return new McpLimits(
                items,
                quiet,
                beat,
                idleBeat,
                answerTimeout,
                stateLife,
                stateBytes,
                taskKeep,
                taskPoll,
                streamEvents,
                streamBytes,
                streamsPerSession,
                replayBytes,
                sessions,
                sessionIdle,
                sessionLife,
                callsPerChannel,
                lineBytes,
                drain,
                subscriptionBytes,
                part);
    }
}
