package dev.caisson.sandbox;

import dev.caisson.json.Json;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The way from a guest to the server: one byte when it is ready, and at most one record, which is
/// a line of JSON with the value the program handed over.
///
/// Whatever comes is the word of the program, which can write here as its guest can: it is shown as
/// the result of that one run and decides nothing. More than the limit is not read.
final class Control {
    static final int VALUE_BYTES_MAX = 64 << 10;

    /// A value, the members around it, and the line's end.
    private static final int RECORD_BYTES_MAX = VALUE_BYTES_MAX + 64;

    private static final int TEXT_LENGTH_MAX = 600;

    private final RandomAccessFile keeper;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final CompletableFuture<byte[]> record = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    private Control(RandomAccessFile keeper) {
        this.keeper = keeper;
    }

    /// The pipe is opened for writing too until the guest has it, so that opening does not wait and
    /// reading does not end too soon.
    static Control open(Path pipe, Executor threads) throws IOException {
        var keeper = new RandomAccessFile(pipe.toFile(), "rw");
        var input = new FileInputStream(pipe.toFile());
        var control = new Control(keeper);
        threads.execute(() -> control.read(input));
        return control;
    }

    private void read(FileInputStream input) {
        try (input) {
            ready.complete(input.read() == 'R');
            record.complete(input.readNBytes(RECORD_BYTES_MAX));
            drain(input);
        } catch (IOException failed) {
            ready.complete(false);
            record.complete(new byte[0]);
        } finally {
            ended.complete(true);
        }
    }

    /// A program that writes here without end waits for nobody.
    private static void drain(InputStream input) throws IOException {
        input.transferTo(OutputStream.nullOutputStream());
    }

    /// Completes with false when there will be no guest.
    CompletableFuture<Boolean> ready() {
        return ready;
    }

    /// From now on only the sandbox holds the other end.
    void release() {
        try {
            keeper.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// Whether the other end is closed, after a bounded wait. Until then the pipe must not be used
    /// again.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /// What came until the sandbox ended; asked for after that.
    Optional<HandedOver> value() {
        var bytes = record.getNow(new byte[0]);
        return bytes.length == 0 ? Optional.empty() : Optional.of(parse(bytes));
    }

    static HandedOver parse(byte[] line) {
        try {
            return value(Json.parse(line));
        } catch (JacksonException malformed) {
            return new HandedOver.Unfit("the value did not arrive as JSON");
        }
    }

    private static HandedOver value(JsonNode record) {
        if (record.has("value")) {
            return new HandedOver.Value(record.get("value"));
        }
        if (record.path("bytes").isNumber() && record.path("file").isString()) {
            return new HandedOver.InFile(
                    record.path("bytes").asLong(0), shortened(record.path("file").asString()));
        }
        return new HandedOver.Unfit(shortened(record.path("unfit").asString("unknown")));
    }

    private static String shortened(String text) {
        return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX);
    }
}
