package dev.caisson.storage;

import dev.caisson.redact.Redactor;
import dev.caisson.redact.StreamScrubber;
import dev.caisson.sandbox.Sink;
import dev.caisson.share.Computing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// Takes what a program writes: counts it, keeps its beginning and its end, and spools it to disk
/// up to a limit. Memory is bounded however much comes.
///
/// The exact values of secrets are taken out on the way in, so they are never on the disk; patterns
/// are judged on the way out. A disk that fails does not fail the run: what could not be stored is
/// counted as thrown away.
public final class OutputCapture implements Sink, AutoCloseable {
    static final String TIMELINE = "timeline";

    private final Map<Stream, Channel> channels = new EnumMap<>(Stream.class);
    private final Path directory;
    private final OutputLimits limits;
    private final Redactor redactor;
    private final Sink tap;
    private final LongConsumer onClose;
    private final SpoolFile timelineFile;
    private final Timeline timeline;
    private final long started = System.nanoTime();

    /// @param tap sees the same output without the exact secrets, as it comes
    /// @param onClose is told how many bytes are stored
    OutputCapture(
            Path directory,
            OutputLimits limits,
            Redactor redactor,
            Sink tap,
            LongConsumer onClose) {
        this.directory = directory;
        this.limits = limits;
        this.redactor = redactor;
        this.tap = tap;
        this.onClose = onClose;
        this.timelineFile = new SpoolFile(directory, TIMELINE);
        this.timeline = new Timeline(timelineFile);
        for (var stream : Stream.values()) {
            channels.put(stream, new Channel(stream, new SpoolFile(directory, word(stream))));
        }
    }

    /// The word for a stream, which is also the name of its file.
    public static String word(Stream stream) {
        return stream.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public synchronized void write(Stream stream, byte[] bytes, int offset, int length) {
        channel(stream).accept(bytes, offset, length);
    }

    /// What was written, once the program is dead. Nothing may be written afterwards.
    public synchronized Captured finish() {
        channels.values().forEach(channel -> channel.scrubber.end());
        var stdout = channel(Stream.STDOUT).captured();
        var stderr = channel(Stream.STDERR).captured();
        return new Captured(stdout, stderr, redactor.events());
    }

    /// Keeps a value with the output, so that it is read as the output is, and for as long.
    ///
    /// @param json is closed
    public KeptValue keep(InputStream json, Computing computing) throws InterruptedException {
        return new ValueStore(directory, limits.dataBytes(), redactor).keep(json, computing);
    }

    /// The last line of a stream, without the exact secrets. Asked for after [#finish].
    public synchronized LastLine lastLine(Stream stream) {
        return channel(stream).lastLine();
    }

    /// How much was written so far.
    public synchronized long bytes() {
        return channels.values().stream().mapToLong(channel -> channel.written).sum();
    }

    @Override
    public synchronized void close() {
        try (timelineFile) {
            timeline.flush();
            for (var channel : channels.values()) {
                channel.spool.close();
            }
        } catch (IOException e) {
            channels.values().forEach(channel -> channel.broken = true);
        }
        onClose.accept(channels.values().stream().mapToLong(channel -> channel.stored).sum());
    }

    private Channel channel(Stream stream) {
        return Objects.requireNonNull(channels.get(stream));
    }

    /// One of the two streams.
    private final class Channel {
        private final Stream stream;
        private final SpoolFile spool;
        private final int inlineBytes;
        private final HeadAndTail kept;
        private final StreamScrubber scrubber = redactor.scrubber(this::clean);
        private long written;
        private long stored;
        private boolean broken;

        Channel(Stream stream, SpoolFile spool) {
            this.stream = stream;
            this.spool = spool;
            this.inlineBytes = limits.inlineBytes(stream);
            this.kept =
                    new HeadAndTail(
                            inlineBytes + OutputLimits.WINDOW,
                            inlineBytes / 2 + OutputLimits.WINDOW);
        }

        void accept(byte[] bytes, int offset, int length) {
            written += length;
            scrubber.write(bytes, offset, length);
        }

        private void clean(byte[] bytes, int offset, int length) {
            kept.add(bytes, offset, length);
            store(bytes, offset, length);
            tap.write(stream, bytes, offset, length);
        }

        private void store(byte[] bytes, int offset, int length) {
            var room = (int) Math.min(length, limits.spoolBytes() - stored);
            if (broken || room <= 0) {
                return;
            }
            try {
                // Noted first: whoever finds a byte in a file finds in the timeline what came
                // before.
                timeline.note(stream, millis(), stored, room);
                spool.write(bytes, offset, room);
                stored += room;
            } catch (IOException e) {
                broken = true;
            }
        }

        private int millis() {
            return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
        }

        LastLine lastLine() {
            var head = kept.head();
            if (head.length == kept.total()) {
                return LastLine.of(head, true);
            }
            if (broken || stored < kept.total()) {
                return LastLine.of(kept.tail(), false);
            }
            var length = (int) Math.min(stored, limits.dataBytes() + 1);
            var end = SpooledOutput.bytes(spool.path(), stored - length, length);
            return LastLine.of(end, length == stored);
        }

        CapturedStream captured() {
            var inline =
                    InlineText.of(
                            new InlineText.Source(
                                    kept, inlineBytes, redactor, word(stream), stored));
            return new CapturedStream(
                    written, inline.text(), inline.omittedBytes(), stored, inline.faithful());
        }
    }
}
