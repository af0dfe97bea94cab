package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.ValueRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Control pipe from a guest to the server: `M` from the gate when mounts can be made, if there is
/// one, `R` from the guest when it is ready, and then at most one record, which is a line of JSON
/// with the value the program handed over; or what a session says, which goes to a [Box.Receiver].
///
/// Whatever comes is the word of the program, which can write here as its guest can: it is shown as
/// the result of that one run and decides nothing. More than the limit is not read.
final class ControlPipe {
    /// A value, what is displayed, the members around it, and the line's end.
    private static final int RECORD_BYTES_MAX =
            HandedOver.VALUE_BYTES_MAX + DisplayForm.BYTES_MAX + 64;

    private static final int BUFFER_BYTES = 8 << 10;
    private final RandomAccessFile keeper;
    private final PipeEnd pipe;
    private final CompletableFuture<Boolean> mountable = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();
    private volatile Box.Receiver receiver = this::keep;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    private ControlPipe(RandomAccessFile keeper, PipeEnd pipe) {
        this.keeper = keeper;
        this.pipe = pipe;
    }

    /// The pipe is opened for writing too until the guest has it, so that reading does not end too
    /// soon.
    static ControlPipe open(Path pipe, Executor threads) throws IOException {
        var control =
                new ControlPipe(new RandomAccessFile(pipe.toFile(), "rw"), PipeEnd.open(pipe));
        threads.execute(control::read);
        return control;
    }

    private void read() {
        try (pipe) {
            var buffer = new byte[BUFFER_BYTES];
            for (int count = next(buffer); count >= 0; count = next(buffer)) {
                take(buffer, count);
            }
        } finally {
            mountable.complete(false);
            ready.complete(false);
            ended.complete(true);
        }
    }

    private int next(byte[] buffer) {
        pipe.await();
        return pipe.read(buffer);
    }

    private void take(byte[] bytes, int count) {
        int from = 0;
        if (from < count && !mountable.isDone() && bytes[from] == 'M') {
            mountable.complete(true);
            from++;
        }
        if (from < count && !ready.isDone()) {
            ready.complete(bytes[from] == 'R');
            from++;
        }
        if (from < count) {
            receiver.receive(Arrays.copyOfRange(bytes, from, count), count - from);
        }
    }

    /// A program that writes here without end waits for nobody.
    private synchronized void keep(byte[] bytes, int count) {
        record.write(bytes, 0, Math.min(count, RECORD_BYTES_MAX - record.size()));
    }

    /// From now on what comes goes there. Asked for before the guest has its job.
    void passTo(Box.Receiver other) {
        receiver = other;
    }

    /// Completes with false when there will be no gate.
    CompletableFuture<Boolean> mountable() {
        return mountable;
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

    /// Everyone inside is dead: what came until now is all.
    void finish() {
        pipe.finish();
    }

    /// Completes when the other end is closed, or everyone inside is dead.
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /// Whether it has ended, after a bounded wait.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /// What came until the sandbox ended; asked for after that.
    synchronized Optional<HandedOver> value() {
        var bytes = record.toByteArray();
        return bytes.length == 0 ? Optional.empty() : Optional.of(ValueRecord.parse(bytes));
    }
}
