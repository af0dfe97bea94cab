package dev.caisson.sandbox;

import dev.caisson.linux.ExitStatus;
import dev.caisson.linux.PipeEnd;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// One live sandbox, whichever [SandboxRuntime] made it. It is locked and its guest waits; it gets
/// its limits, its workspace and its job, serves that one run or one session, and is ended. None is
/// ever used again.
///
/// Used by one thread at a time, but for [#killWithoutWaiting()].
public interface Box {
    /// The directory within the job that [#showWrappers] fills.
    String WRAPPERS = "servers";

    /// Whether the guest still waits. Asked before it is given its job.
    boolean isWaiting();

    /// Limits everything in it together as a run wants it, and checks that the kernel took it.
    ///
    /// @throws java.io.UncheckedIOException when the kernel did not; nothing has run then
    void apply(Limits limits);

    /// Limits the memory of everything in it to what a session holds for now. The limits its
    /// programs are told stay as they are.
    ///
    /// @param limits of its programs
    /// @throws java.io.UncheckedIOException when the kernel did not take it
    default void holdMemory(Limits limits, long bytes) {
        apply(limits.withMemory(bytes));
    }

    /// Puts the run's workspace in its place; does nothing where it was given at the start.
    void attach(Workspace workspace);

    /// What it weighs against other boxes when processors are short.
    ///
    /// @param weight from 1 to [CallerWeights#WHOLE]
    /// @throws java.io.UncheckedIOException when it is gone
    void weigh(int weight);

    /// Tells whenever everything in it is about to be killed: who is dying needs the processors for
    /// nothing else. Until somebody asks, it then weighs as much as it can.
    void onKill(Runnable dying);

    /// Gives the guest its job. From here on what runs inside is the program.
    void handOver(Job job) throws IOException;

    /// Makes the guest the beginning of a session: it is given one job after another through the
    /// lines to it. From here on what runs inside is the program.
    ///
    /// @param records gets what the guest says
    Lines open(Receiver records) throws IOException;

    /// The streams of a session.
    ///
    /// @param jobs carries one job after another
    record Lines(OutputStream jobs, PipeEnd stdout, PipeEnd stderr) {}

    /// Takes what a guest says to the server, or a program in its place, however much.
    @FunctionalInterface
    interface Receiver {
        void receive(byte[] bytes, int count);
    }

    /// Writes a file that the program can read and not change.
    ///
    /// @param name its own within the box
    /// @return its path inside
    String put(String name, byte[] text) throws IOException;

    /// Deletes a file that [#put] wrote.
    void remove(String name) throws IOException;

    /// Whether everything in it can be made to stand still.
    default boolean canPark() {
        return false;
    }

    /// Makes everything in it stand still, and waits until it does: it keeps what it has, and uses
    /// no processor.
    ///
    /// @return false when it cannot, or is about to be killed; then it goes on
    default boolean park() throws InterruptedException {
        return false;
    }

    /// Everything in it goes on. Does nothing where nothing stands still.
    default void unpark() {}

    /// Waits until the program has ended.
    ///
    /// @return false when the time was over first
    boolean awaitEnd(Duration atMost) throws InterruptedException;

    /// Shows a directory of the host at `/run/job/servers`, to read. Before its program begins, or
    /// while that rests.
    ///
    /// @throws IOException when this runtime cannot
    default void showWrappers(Path directory) throws IOException {
        throw new IOException("nothing can be attached to a sandbox here");
    }

    /// Listens on the loopback address inside, for what the server offers to the program.
    ///
    /// @throws IOException when the port is taken, or this runtime cannot
    default ServerSocketChannel listen(int port) throws IOException {
        throw new IOException("nothing can listen inside a sandbox here");
    }

    /// Completes when nobody can answer any more: the program has ended, or closed its way to us.
    CompletableFuture<?> silence();

    boolean hasEnded();

    /// Whether the program has ended, all it wrote was read, and nothing it started is alive. That
    /// is so for good then.
    boolean isDeserted();

    /// Interrupts the program of a session, as a key of its terminal would.
    void interrupt();

    /// Asks the program to end, as a service manager would.
    void terminate();

    /// Kills everything inside, and waits until it is dead and the rest of its output is passed on.
    /// What takes longer to die than anybody should wait for is left to [#end].
    void kill();

    /// Kills everything inside and waits for nothing. May be called by anyone until it is ended.
    void killWithoutWaiting();

    /// How the program ended, in the kernel's words. Known once [#isDeserted()], or after
    /// [#kill()].
    ExitStatus status();

    /// Whether its program was ended by the loss of what it stood on, which says nothing about the
    /// program. Asked for after its end.
    default boolean wasLost() {
        return false;
    }

    /// How many processes in it were killed for memory.
    long memoryKills();

    /// Of everything that ever ran in it, the interpreter's boot included.
    Duration cpuTime();

    /// Empty where nobody measures it.
    OptionalLong memoryPeakBytes();

    /// What everything in it uses now. Empty where nobody measures it.
    OptionalLong memoryBytes();

    /// What the program handed over; asked for after its end.
    Optional<HandedOver> value();

    /// What the sink of its job threw, if it did.
    Optional<RuntimeException> sinkFailure();

    /// Ends it. Everything that was started in it is dead when this returns, or takes longer to die
    /// than anybody should wait for. What is left is taken apart meanwhile; when its caller has too
    /// many that wait for that, here and now.
    ///
    /// Never fails: whatever a program did, its caller has an answer to get. A place in which
    /// something is left is never used again.
    ///
    /// @param caller whose program ran in it; empty when nobody's did
    void end(String caller);

    /// The same for one in which no caller's program ran.
    default void end() {
        end("");
    }
}
