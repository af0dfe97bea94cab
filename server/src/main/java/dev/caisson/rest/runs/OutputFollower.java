package dev.caisson.rest.runs;

import dev.caisson.output.OutputCapture;
import dev.caisson.output.SpooledOutput;
import dev.caisson.runs.LiveRun;
import dev.caisson.runs.RunOutput;
import dev.caisson.sandbox.Sink.Stream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// Follower of the output of an execution: sends it from a place on and without a gap, until it is
/// over: both streams in the order they were read. A line that has not ended waits for its end,
/// alone.
final class OutputFollower {
    /// What one event carries at most.
    static final int PIECE_BYTES_MAX = 32 << 10;

    /// An execution that alternates more often has its first stretches in that order; of what is
    /// left, the output comes before the errors.
    static final int STRETCHES_MAX = 2_000;

    private final RunOutput output;
    private final EventWriter events;
    private final Duration beat;
    private final String owner;
    private final String id;
    private final Map<Stream, Long> offsets = new EnumMap<>(Stream.class);
    private long chunk;
    private int stretches;
    private long sentAt = System.nanoTime();

    /// @param beat after so much silence an event says that the run goes on, which is also how we
    ///   learn that nobody reads any more
    /// @param from where to begin
    OutputFollower(
            RunOutput output, EventWriter events, Duration beat, StreamedRun shown, Offsets from) {
        this.output = output;
        this.events = events;
        this.beat = beat;
        this.owner = shown.owner();
        this.id = shown.id();
        offsets.put(Stream.STDOUT, from.stdout());
        offsets.put(Stream.STDERR, from.stderr());
    }

    /// A place in both streams, in bytes.
    record Offsets(long stdout, long stderr) {
        static final Offsets START = new Offsets(0, 0);
    }

    /// @return false when nobody reads any more
    boolean until(LiveRun run) throws InterruptedException {
        var seen = 0L;
        while (!run.over()) {
            seen = run.awaitChange(seen, beat);
            if (!passOn(false) || !beatIfSilent()) {
                return false;
            }
        }
        return rest();
    }

    /// Everything that is there, of an execution that is over.
    boolean rest() throws InterruptedException {
        return passOn(true);
    }

    /// How much there is, is asked before its order, and of the errors first: so the order of all
    /// of it is known but for the last stretch, and no errors come before earlier output.
    private boolean passOn(boolean over) throws InterruptedException {
        long errors = output.storedBytes(owner, id, Stream.STDERR);
        long written = output.storedBytes(owner, id, Stream.STDOUT);
        return passOnInOrder(over)
                && passOn(Stream.STDOUT, written, over)
                && passOn(Stream.STDERR, errors, over);
    }

    /// What must wait for the end of its line is part of a later stretch.
    private boolean passOnInOrder(boolean over) throws InterruptedException {
        while (stretches < STRETCHES_MAX) {
            var known = output.order(owner, id, chunk);
            if (known.isEmpty()) {
                return true;
            }
            for (var stretch : known) {
                if (!passOn(stretch.stream(), stretch.end(), over)) {
                    return false;
                }
            }
            chunk += known.size();
        }
        return true;
    }

    private boolean passOn(Stream stream, long end, boolean over) throws InterruptedException {
        stretches += end > offset(stream) ? 1 : 0;
        var piece = next(stream, end, over);
        while (piece.nextOffset() > offset(stream)) {
            offsets.put(stream, piece.nextOffset());
            if (!send(stream, piece)) {
                return false;
            }
            piece = next(stream, end, over);
        }
        return true;
    }

    private long offset(Stream stream) {
        return Objects.requireNonNull(offsets.get(stream));
    }

    private SpooledOutput.Piece next(Stream stream, long end, boolean over) {
        var from = offset(stream);
        int limit = (int) Math.min(PIECE_BYTES_MAX, end - from);
        if (limit <= 0) {
            return SpooledOutput.Piece.NOTHING;
        }
        return over
                ? output.read(owner, id, stream, from, limit)
                : output.follow(owner, id, stream, from, limit);
    }

    private boolean send(Stream stream, SpooledOutput.Piece piece) throws InterruptedException {
        sentAt = System.nanoTime();
        return events.send(
                EventWriter.event(OutputCapture.word(stream))
                        .put("text", piece.text())
                        .put("offset", piece.offset())
                        .put("next_offset", piece.nextOffset()));
    }

    private boolean beatIfSilent() throws InterruptedException {
        if (System.nanoTime() - sentAt < beat.toNanos()) {
            return true;
        }
        sentAt = System.nanoTime();
        return events.send(EventWriter.event("beat"));
    }
}
