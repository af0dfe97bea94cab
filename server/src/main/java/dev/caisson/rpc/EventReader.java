package dev.caisson.rpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/// Reader of server-sent events, of bounded length.
///
/// Format: lines that end in LF, CRLF or CR; `event:`, `data:`, `id:` and `retry:` fields, one
/// space after the colon left out; a line that begins with a colon is a comment; an empty line ends
/// an event, and what no empty line follows is none. All of it is strict UTF-8.
public final class EventReader {
    private static final int CHUNK = 16 << 10;
    private static final long RETRY_MAX_MILLIS = 60_000;

    private final InputStream in;
    private final int bytesMax;
    private final byte[] chunk = new byte[CHUNK];
    private int start;
    private int end;
    private boolean begun;
    private boolean afterReturn;
    private Optional<String> lastId = Optional.empty();
    private Optional<Duration> retry = Optional.empty();

    /// An event.
    ///
    /// @param type `message` unless it says another
    /// @param data the lines of its data, joined
    @SuppressWarnings("ArrayRecordComponent") // Events are never compared.
    public record Event(String type, byte[] data) {}

    /// An event, or a line of one, that is longer than the limit.
    public static final class EventTooLong extends IOException {
        private static final long serialVersionUID = 1L;

        EventTooLong(int most) {
            super("an event is longer than %d bytes".formatted(most));
        }
    }

    /// @param bytesMax of one event
    public EventReader(InputStream in, int bytesMax) {
        this.in = in;
        this.bytesMax = bytesMax;
    }

    /// The id of the last event that had one: where a stream goes on from.
    public Optional<String> lastId() {
        return lastId;
    }

    /// How long the server wants a reader to wait before it comes back.
    public Optional<Duration> retry() {
        return retry;
    }

    /// The next event with data; empty at the end of the stream.
    ///
    /// @throws EventTooLong beyond the limit
    /// @throws CharacterCodingException when a field is not UTF-8
    public Optional<Event> next() throws IOException {
        var data = new ByteArrayOutputStream();
        var type = "message";
        boolean any = false;
        for (var line = line(); line.isPresent(); line = line()) {
            var bytes = line.get();
            if (bytes.length == 0) {
                if (any) {
                    return Optional.of(new Event(type, data.toByteArray()));
                }
                type = "message";
                continue;
            }
            int colon = colon(bytes);
            var name = text(bytes, 0, colon);
            int from = Math.min(bytes.length, colon + 1);
            from += from < bytes.length && bytes[from] == ' ' ? 1 : 0;
            switch (name) {
                case "data" -> {
                    if (any) {
                        data.write('\n');
                    }
                    if (data.size() + bytes.length - from > bytesMax) {
                        throw new EventTooLong(bytesMax);
                    }
                    data.write(bytes, from, bytes.length - from);
                    any = true;
                }
                case "event" -> type = text(bytes, from, bytes.length);
                case "id" -> lastId = id(text(bytes, from, bytes.length)).or(() -> lastId);
                case "retry" -> retry = millis(text(bytes, from, bytes.length)).or(() -> retry);
                default -> {
                    // A comment, or a field nobody knows.
                }
            }
        }
        return Optional.empty();
    }

    private static int colon(byte[] line) {
        int at = 0;
        while (at < line.length && line[at] != ':') {
            at++;
        }
        return at;
    }

    /// It goes back as a header, so it must be able to stand in one.
    private static Optional<String> id(String text) {
        return text.length() <= 1_024 && text.chars().allMatch(each -> each >= ' ' && each < 0x7f)
                ? Optional.of(text)
                : Optional.empty();
    }

    private static Optional<Duration> millis(String text) {
        return text.matches("\\d{1,9}")
                ? Optional.of(Duration.ofMillis(Math.min(RETRY_MAX_MILLIS, Long.parseLong(text))))
                : Optional.empty();
    }

    private static String text(byte[] bytes, int from, int to) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, from, to - from))
                .toString();
    }

    /// A line without its end; one that breaks off is none.
    private Optional<byte[]> line() throws IOException {
        var line = new ByteArrayOutputStream();
        while (start < end || fill()) {
            int stop = start;
            while (stop < end && chunk[stop] != '\n' && chunk[stop] != '\r') {
                stop++;
            }
            // The field's own name comes on top of its value.
            if (line.size() + stop - start > bytesMax + 16L) {
                throw new EventTooLong(bytesMax);
            }
            line.write(chunk, start, stop - start);
            boolean complete = stop < end;
            boolean feed = complete && chunk[stop] == '\n';
            start = complete ? stop + 1 : stop;
            if (complete) {
                boolean restOfReturn = feed && afterReturn && line.size() == 0;
                afterReturn = !feed;
                if (!restOfReturn) {
                    return Optional.of(withoutMark(line.toByteArray()));
                }
            } else {
                afterReturn &= line.size() == 0;
            }
        }
        return Optional.empty();
    }

    /// A byte order mark may begin the stream.
    private byte[] withoutMark(byte[] line) {
        boolean marked =
                !begun
                        && line.length >= 3
                        && line[0] == (byte) 0xef
                        && line[1] == (byte) 0xbb
                        && line[2] == (byte) 0xbf;
        begun = true;
        return marked ? Arrays.copyOfRange(line, 3, line.length) : line;
    }

    private boolean fill() throws IOException {
        start = 0;
        end = Math.max(0, in.read(chunk));
        return end > 0;
    }
}
