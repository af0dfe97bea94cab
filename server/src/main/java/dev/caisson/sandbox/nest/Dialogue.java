package dev.caisson.sandbox.nest;

import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.InterruptWakeup;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.PipeEnd;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.OutputReader;
import dev.caisson.sandbox.Sink;
import dev.caisson.sandbox.Uninterrupted;
import dev.caisson.sandbox.ValueRecord;
import dev.caisson.share.PatientWait;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Conversation with one sandbox, on one thread that waits for whatever comes first: output,
/// errors, the guest's record, the status of the program, the death of the shell. It is over when
/// the shell is dead, by which everything in it is, and everything it wrote has been read.
///
/// The thread is that of the run, which waits for its end anyway, and keeps its limits, as long as
/// no output has to wait for its sink. From then on it is another: a sink may hang, limits are
/// kept.
///
/// The record is the word of the program and decides nothing; more than its limit is not kept. The
/// status is the word of the shell's first process, which no program reaches.
final class Dialogue {
    /// A value, what is displayed, the members around it, and the line's end.
    private static final int RECORD_BYTES_MAX =
            HandedOver.VALUE_BYTES_MAX + DisplayForm.BYTES_MAX + 64;

    private static final int STATUS_BYTES = 4;
    private static final int BUFFER_BYTES = 4 << 10;
    private static final int NOWHERE = -1;
    private static final Duration FOR_EVER = Duration.ofDays(1);

    /// Before the end of a limit it is kept exactly.
    private static final Duration EXACT = Duration.ofMillis(200);

    private final PidFd shell;
    private final PipeEnd control;
    private final PipeEnd status;
    private final Optional<OutputReader> output;
    private final Sink sink;
    private final Executor threads;
    private final Box.Receiver receiver;
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();
    private final ByteArrayOutputStream told = new ByteArrayOutputStream();
    private final CompletableFuture<Boolean> silent = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile Optional<RuntimeException> failure = Optional.empty();
    private final Turn turn = new Turn();

    /// What was read and is not passed on yet. These belong to the thread that converses.
    private final List<Piece> pieces = new ArrayList<>();

    private boolean controlOpen = true;
    private boolean statusOpen = true;
    private boolean alive = true;

    /// Output that was read.
    @SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
    private record Piece(Sink.Stream stream, byte[] bytes) {}

    /// Who converses: at most one thread.
    private static final class Turn {
        private Holder holder = Holder.NOBODY;

        private enum Holder {
            NOBODY,
            /// Who waits for the end.
            WAITING,
            /// One that does nothing else, until the end.
            APART
        }

        synchronized boolean take(Holder by) {
            boolean free = holder == Holder.NOBODY;
            holder = free ? by : holder;
            return free;
        }

        synchronized void goOnApart() {
            holder = Holder.APART;
        }

        synchronized void giveBack() {
            holder = Holder.NOBODY;
        }
    }

    /// @param output empty when somebody else reads it
    /// @param receiver gets what the guest says; empty keeps it as a record
    private Dialogue(
            PidFd shell,
            PipeEnd control,
            PipeEnd status,
            Optional<OutputReader> output,
            Sink sink,
            Executor threads,
            Optional<Box.Receiver> receiver) {
        this.shell = shell;
        this.control = control;
        this.status = status;
        this.output = output;
        this.sink = sink;
        this.threads = threads;
        this.receiver = receiver.orElse(this::keep);
    }

    /// With a sandbox that serves one run. Somebody is to wait for its end.
    ///
    /// @param threads where it goes on when the sink is slow
    static Dialogue ofRun(
            PidFd shell,
            PipeEnd control,
            PipeEnd status,
            OutputReader output,
            Sink sink,
            Executor threads) {
        return new Dialogue(
                shell, control, status, Optional.of(output), sink, threads, Optional.empty());
    }

    /// With one that serves a session, whose output is read elsewhere, from now on.
    static Dialogue ofSession(
            PidFd shell, PipeEnd control, PipeEnd status, Box.Receiver receiver, Executor threads) {
        var begun =
                new Dialogue(
                        shell,
                        control,
                        status,
                        Optional.empty(),
                        (_, _, _, _) -> {},
                        threads,
                        Optional.of(receiver));
        begun.converseApart();
        return begun;
    }

    private void converseApart() {
        if (turn.take(Turn.Holder.APART)) {
            threads.execute(this::converseToTheEnd);
        }
    }

    private void converseToTheEnd() {
        try {
            deliver();
            while (goesOn()) {
                converse(FOR_EVER, Optional.empty(), this::guarded);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            over();
        }
    }

    /// How a thread left the conversation.
    private enum Left {
        BROKEN,
        OVER,
        /// Somebody else goes on.
        APART,
        /// Nobody goes on until somebody waits again.
        FOR_NOW
    }

    /// Converses on the thread that calls, a platform one, unless somebody else does.
    private void converseHere(long end, Optional<InterruptWakeup> wakeup)
            throws InterruptedException {
        if (!turn.take(Turn.Holder.WAITING)) {
            return;
        }
        var left = Left.BROKEN;
        try {
            left = converseUntil(end, wakeup);
        } catch (InterruptedException ended) {
            left = Left.FOR_NOW;
            throw ended;
        } finally {
            switch (left) {
                case BROKEN, OVER -> over();
                case FOR_NOW -> turn.giveBack();
                case APART -> {}
            }
        }
    }

    private Left converseUntil(long end, Optional<InterruptWakeup> wakeup)
            throws InterruptedException {
        for (long left = end - System.nanoTime(); goesOn(); left = end - System.nanoTime()) {
            if (left <= 0) {
                return Left.FOR_NOW;
            }
            converse(Duration.ofNanos(left), wakeup, this::collect);
            int bytes = pieces.stream().mapToInt(piece -> piece.bytes().length).sum();
            if (bytes > 0 && !sink.takesAtOnce(bytes)) {
                turn.goOnApart();
                threads.execute(this::converseToTheEnd);
                return Left.APART;
            }
            deliver();
        }
        return Left.OVER;
    }

    private boolean goesOn() {
        return alive
                || controlOpen
                || statusOpen
                || output.filter(each -> !each.hasEnded()).isPresent();
    }

    /// Waits for what comes first, and takes it.
    private void converse(Duration atMost, Optional<InterruptWakeup> wakeup, Sink to)
            throws InterruptedException {
        var pipes = new ArrayList<PipeEnd>(4);
        int controlAt = controlOpen ? pipes.size() : NOWHERE;
        if (controlOpen) {
            pipes.add(control);
        }
        int statusAt = statusOpen ? pipes.size() : NOWHERE;
        if (statusOpen) {
            pipes.add(status);
        }
        int outputAt = pipes.size();
        output.ifPresent(reader -> pipes.addAll(reader.open()));
        var ready =
                alive ? PipeEnd.awaitAny(pipes, Optional.of(shell), atMost, wakeup) : allOf(pipes);
        int next = ready.nextSetBit(outputAt);
        if (next >= 0 && next < pipes.size()) {
            output.ifPresent(reader -> reader.read(to));
        }
        if (controlOpen && ready.get(controlAt)) {
            controlOpen = pass(control, receiver);
            if (!controlOpen) {
                silent.complete(true);
            }
        }
        if (statusOpen && ready.get(statusAt)) {
            statusOpen = pass(status, this::note);
        }
        if (alive && ready.get(pipes.size())) {
            alive = false;
            finish();
        }
    }

    /// Of the dead nobody waits for anything.
    private static BitSet allOf(List<PipeEnd> pipes) {
        var all = new BitSet();
        all.set(0, pipes.size());
        return all;
    }

    private void over() {
        output.ifPresent(OutputReader::close);
        silent.complete(true);
        ended.complete(true);
    }

    /// @return whether more may come
    private static boolean pass(PipeEnd from, Box.Receiver to) {
        var buffer = new byte[BUFFER_BYTES];
        int count = from.read(buffer);
        if (count > 0) {
            to.receive(buffer, count);
        }
        return count >= 0;
    }

    /// Everyone inside is dead: what is in the pipes is the rest, whoever holds their other ends.
    private void finish() {
        control.finish();
        status.finish();
        output.ifPresent(reader -> reader.open().forEach(PipeEnd::finish));
    }

    private void collect(Sink.Stream stream, byte[] bytes, int offset, int length) {
        pieces.add(new Piece(stream, Arrays.copyOfRange(bytes, offset, offset + length)));
    }

    private void deliver() {
        pieces.forEach(piece -> guarded(piece.stream(), piece.bytes(), 0, piece.bytes().length));
        pieces.clear();
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

    /// Waits until it is over, and has it go on meanwhile.
    ///
    /// @return false when the time is over first
    boolean await(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        if (Thread.currentThread().isVirtual()) {
            converseApart();
            return awaitOthers(end);
        }
        var wakeup = InterruptWakeup.open();
        try {
            converseHere(end, Optional.of(wakeup));
        } finally {
            wakeup.free();
        }
        return awaitOthers(end);
    }

    /// The same for one who is not interrupted.
    boolean awaitUninterrupted(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        return Uninterrupted.call(() -> {
            if (Thread.currentThread().isVirtual()) {
                converseApart();
            } else {
                converseHere(end, Optional.empty());
            }
            return awaitOthers(end);
        });
    }

    private boolean awaitOthers(long end) throws InterruptedException {
        var most = Duration.ofNanos(end - System.nanoTime()).minus(EXACT);
        if (most.isPositive() && new PatientWait(ended).await(most)) {
            return true;
        }
        try {
            return ended.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return ended.isDone();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
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
