package dev.caisson.output;

import dev.caisson.redact.Redactor;
import dev.caisson.redact.StreamScrubber;
import dev.caisson.sandbox.Sink;
import dev.caisson.share.CallerWorkers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// Sink for the output of a program: counts it, keeps its beginning and its end, and stores it up
/// to a limit, in memory while it is small and in files from then on. Memory is bounded however
/// much comes.
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
    private final RunSpool spool;
    private final RunSpool.Part timelinePart;
    private final StreamOrder timeline;
    private final long started = System.nanoTime();
    private boolean handedOver;

    /// @param tap sees the same output without the exact secrets, as it comes
    /// @param onClose is told how many bytes are stored
    OutputCapture(
            Path directory,
            OutputMemory memory,
            OutputLimits limits,
            Redactor redactor,
            Sink tap,
            LongConsumer onClose) {
        this.directory = directory;
        this.limits = limits;
        this.redactor = redactor;
        this.tap = tap;
        this.onClose = onClose;
        this.spool = new RunSpool(directory, memory);
        this.timelinePart = spool.part(TIMELINE);
        this.timeline = new StreamOrder(timelinePart);
        for (var stream : Stream.values()) {
            channels.put(stream, new Channel(stream, spool.part(word(stream))));
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

    /// As long as it stays in memory. Who hears of it as it comes waits for nothing either.
    @Override
    public synchronized boolean takesAtOnce(int bytes) {
        return millis() <= RunSpool.MEMORY_MILLIS_MAX && spool.staysInMemory(bytes);
    }

    /// What was written, once the program is dead. Nothing may be written afterwards.
    public synchronized CapturedOutput finish() {
        channels.values().forEach(channel -> channel.scrubber.end());
        var stdout = channel(Stream.STDOUT);
        var stderr = channel(Stream.STDERR);
        var whole = Map.of(Stream.STDOUT, stdout.inline(), Stream.STDERR, stderr.inline());
        var excerpts = fits(whole.values()) ? whole : excerpts(stdout, stderr);
        return new CapturedOutput(
                stdout.captured(whole, excerpts),
                stderr.captured(whole, excerpts),
                redactor.events());
    }

    private boolean fits(Collection<InlineText> whole) {
        return whole.stream().mapToLong(OutputCapture::bytes).sum() <= limits.answerBytes();
    }

    private static int bytes(InlineText inline) {
        return inline.text().getBytes(StandardCharsets.UTF_8).length;
    }

    /// The shorter stream may take half of the answer, and the other all that is left.
    private Map<Stream, InlineText> excerpts(Channel stdout, Channel stderr) {
        var shorter = stderr.kept.total() <= stdout.kept.total() ? stderr : stdout;
        var longer = shorter == stderr ? stdout : stderr;
        var first = shorter.excerpt(limits.answerBytes() / 2);
        var rest = longer.excerpt(limits.answerBytes() - bytes(first));
        return Map.of(shorter.stream, first, longer.stream, rest);
    }

    /// Keeps a value with the output, so that it is read as the output is, and for as long.
    ///
    /// @param json is closed
    public KeptValue keep(InputStream json, CallerWorkers computing) throws InterruptedException {
        return new ValueStore(directory, limits.dataBytes(), redactor).keep(json, computing);
    }

    /// The last line of a stream, without the exact secrets. Asked for after [#finish].
    public synchronized LastLine lastLine(Stream stream) {
        return channel(stream).lastLine();
    }

    /// Has all of it in files from now on, so that it outlives the server: for a program that runs
    /// on when its caller was answered. A disk that fails does not fail the run.
    public synchronized void keepInFiles() {
        try {
            spool.moveToFiles();
        } catch (IOException e) {
            channels.values().forEach(channel -> channel.broken = true);
        }
    }

    /// What was stored so far. What somebody has read while the program ran outlives the server, so
    /// it is in files from then on, if the disk takes it.
    synchronized SpooledOutput stored() {
        if (!handedOver) {
            try {
                spool.moveToFiles();
            } catch (IOException e) {
                return SpooledOutput.inMemory(small(), directory);
            }
        }
        return spool.isInFiles()
                ? SpooledOutput.inFiles(directory)
                : SpooledOutput.inMemory(small(), directory);
    }

    private SmallOutput small() {
        return new SmallOutput(
                channel(Stream.STDOUT).part.held(),
                channel(Stream.STDERR).part.held(),
                timelinePart.held());
    }

    /// The form of the output, for the record of the run to keep it; then no file does. Asked for
    /// after [#finish].
    ///
    /// @return empty when there is none, or it is in files
    public synchronized Optional<byte[]> handOver() {
        try {
            timeline.flush();
        } catch (IOException e) {
            channels.values().forEach(channel -> channel.broken = true);
        }
        if (spool.isInFiles() || small().isEmpty()) {
            return Optional.empty();
        }
        handedOver = true;
        return Optional.of(small().form());
    }

    /// How much was written so far.
    public synchronized long bytes() {
        return channels.values().stream().mapToLong(channel -> channel.written).sum();
    }

    @Override
    public synchronized void close() {
        try (spool) {
            timeline.flush();
            if (!handedOver) {
                spool.moveToFiles();
            }
        } catch (IOException e) {
            channels.values().forEach(channel -> channel.broken = true);
        }
        onClose.accept(channels.values().stream().mapToLong(channel -> channel.stored).sum());
    }

    private int millis() {
        return (int) TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    }

    private Channel channel(Stream stream) {
        return Objects.requireNonNull(channels.get(stream));
    }

    /// One of the two streams.
    private final class Channel {
        private final Stream stream;
        private final RunSpool.Part part;
        private final int inlineBytes;
        private final HeadAndTail kept;
        private final StreamScrubber scrubber = redactor.scrubber(this::clean);
        private long written;
        private long stored;
        private boolean broken;

        Channel(Stream stream, RunSpool.Part part) {
            this.stream = stream;
            this.part = part;
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
                if (millis() > RunSpool.MEMORY_MILLIS_MAX) {
                    spool.moveToFiles();
                }
                part.write(bytes, offset, room);
                stored += room;
            } catch (IOException e) {
                broken = true;
            }
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
            var end = part.stored().bytes(stored - length, length);
            return LastLine.of(end, length == stored);
        }

        InlineText inline() {
            return inline(inlineBytes, redactor);
        }

        /// A shorter one.
        InlineText excerpt(int bytesMax) {
            return inline(Math.min(bytesMax, inlineBytes), redactor.countedApart());
        }

        private InlineText inline(int bytesMax, Redactor counting) {
            return InlineText.of(
                    new InlineText.Source(kept, bytesMax, counting, word(stream), stored));
        }

        CapturedStream captured(Map<Stream, InlineText> inlined, Map<Stream, InlineText> excerpts) {
            var inline = Objects.requireNonNull(inlined.get(stream));
            var excerpt = Objects.requireNonNull(excerpts.get(stream));
            return new CapturedStream(
                    written,
                    inline.text(),
                    inline.omittedBytes(),
                    stored,
                    inline.faithful(),
                    new CapturedStream.Excerpt(excerpt.text(), excerpt.omittedBytes()));
        }
    }
}
