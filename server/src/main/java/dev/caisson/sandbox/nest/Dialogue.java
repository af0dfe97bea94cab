package dev.caisson.sandbox.nest;

import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.OutputReader;
import dev.caisson.sandbox.Sink;
import dev.caisson.sandbox.ValueRecord;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Conversation with one sandbox, on one thread that waits for whatever comes first: output,
/// errors, the guest's record, the status of the program, the death of the shell. It is over when
/// the shell is dead, by which everything in it is, and everything it wrote has been read.
///
/// The record is the word of the program and decides nothing; more than its limit is not kept. The
/// status is the word of the shell's first process, which no program reaches.
final class Dialogue {
    /// A value, what is displayed, the members around it, and the line's end.
    private static final int RECORD_BYTES_MAX =
            HandedOver.VALUE_BYTES_MAX + DisplayForm.BYTES_MAX + 64;

    private static final int STATUS_BYTES = 4;
    private static final int BUFFER_BYTES = 8 << 10;

    private final PidFd shell;
    private final PipeEnd control;
    private final PipeEnd status;
    private final Optional<OutputReader> output;
    private final Sink sink;
    private final Box.Receiver receiver;
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final CompletableFuture<Boolean> silent = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile Optional<RuntimeException> failure = Optional.empty();

    /// @param output empty when somebody else reads it
    /// @param receiver gets what the guest says; empty keeps it as a record
    private Dialogue(
            PidFd shell,
            PipeEnd control,
            PipeEnd status,
            Optional<OutputReader> output,
            Sink sink,
            Optional<Box.Receiver> receiver) {
        this.shell = shell;
        this.control = control;
        this.status = status;
        this.output = output;
        this.sink = sink;
        this.receiver = receiver.orElse(this::keep);
    }

    /// With a sandbox that serves one run.
    static Dialogue ofRun(
            PidFd shell, PipeEnd control, PipeEnd status, OutputReader output, Sink sink) {
        return new Dialogue(shell, control, status, Optional.of(output), sink, Optional.empty());
    }

    /// With one that serves a session, whose output is read elsewhere.
    static Dialogue ofSession(PidFd shell, PipeEnd control, PipeEnd status, Box.Receiver receiver) {
        return new Dialogue(
                shell,
                control,
                status,
                Optional.empty(),
                (_, _, _, _) -> {},
                Optional.of(receiver));
    }

    Dialogue start(Executor threads) {
        threads.execute(this::converse);
        return this;
    }

    private void converse() {
        boolean controlOpen = true;
        boolean statusOpen = true;
        boolean alive = true;
        var buffer = new byte[BUFFER_BYTES];
        try {
            while (alive
                    || controlOpen
                    || statusOpen
                    || output.filter(each -> !each.hasEnded()).isPresent()) {
                await(controlOpen, statusOpen, alive);
                output.ifPresent(reader -> reader.read(this::guarded));
                controlOpen = controlOpen && pass(control, buffer, receiver);
                if (!controlOpen) {
                    silent.complete(true);
                }
                statusOpen = statusOpen && pass(status, buffer, this::note);
                if (alive && shell.hasExited()) {
                    alive = false;
                    finish();
                }
            }
        } finally {
            output.ifPresent(OutputReader::close);
            silent.complete(true);
            ended.complete(true);
        }
    }

    private void await(boolean controlOpen, boolean statusOpen, boolean alive) {
        var pipes = new ArrayList<PipeEnd>();
        output.ifPresent(reader -> pipes.addAll(reader.open()));
        if (controlOpen) {
            pipes.add(control);
        }
        if (statusOpen) {
            pipes.add(status);
        }
        PipeEnd.awaitAny(pipes, alive ? List.of(shell) : List.of());
    }

    /// @return whether more may come
    private static boolean pass(PipeEnd from, byte[] buffer, Box.Receiver to) {
        int count = from.read(buffer);
        if (count > 0) {
            to.receive(Arrays.copyOf(buffer, count), count);
        }
        return count >= 0;
    }

    /// Everyone inside is dead: what is in the pipes is the rest, whoever holds their other ends.
    private void finish() {
        control.finish();
        status.finish();
        output.ifPresent(reader -> reader.open().forEach(PipeEnd::finish));
    }

    /// The program must not wait for a sink that takes nothing any more.
    private void guarded(Sink.Stream stream, byte[] bytes, int offset, int length) {
        if (failure.isPresent()) {
            return;
        }
        try {
            sink.write(stream, bytes, offset, length);
        } catch (RuntimeException refused) {
            failure = Optional.of(refused);
        }
    }

    private void keep(byte[] bytes, int count) {
        synchronized (record) {
            record.write(bytes, 0, Math.min(count, RECORD_BYTES_MAX - record.size()));
        }
    }

    private void note(byte[] bytes, int count) {
        synchronized (told) {
            told.write(bytes, 0, Math.min(count, STATUS_BYTES - told.size()));
        }
    }

    /// Completes when the guest can say nothing any more.
    CompletableFuture<Boolean> silent() {
        return silent;
    }

    /// Completes when everything inside is dead and was read.
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /// Whether it is over, after a bounded wait.
    boolean awaitEnd(Duration atMost) {
        return ended.copy()
                .completeOnTimeout(false, atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /// How the program ended; empty when the shell died before it.
    Optional<ExitStatus> status() {
        synchronized (told) {
            return told.size() == STATUS_BYTES
                    ? Optional.of(
                            ExitStatus.ofWaitStatus(
                                    ByteBuffer.wrap(told.toByteArray())
                                            .order(ByteOrder.nativeOrder())
                                            .getInt()))
                    : Optional.empty();
        }
    }

    Optional<HandedOver> value() {
        synchronized (record) {
            return record.size() == 0
                    ? Optional.empty()
                    : Optional.of(ValueRecord.parse(record.toByteArray()));
        }
    }

    Optional<RuntimeException> failure() {
        return failure;
    }
}
