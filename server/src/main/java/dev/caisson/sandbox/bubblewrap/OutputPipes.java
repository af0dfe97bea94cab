package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.PidFd;
import dev.caisson.linux.PipeEnd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/// Output pipes of a program, for its output and its errors, read through ends of our own, which
/// wait for nobody who is not in the sandbox. Java would wait for whoever holds the other end.
final class OutputPipes implements AutoCloseable {
    private final PipeEnd stdout;
    private final PipeEnd stderr;
    private boolean handedOn;

    private OutputPipes(PipeEnd stdout, PipeEnd stderr) {
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /// @param program that is ready and waits: the pipes are in their places
    /// @param user that it runs as, if that is not ours
    static OutputPipes of(PidFd program, OptionalInt user) {
        var descriptors = Path.of("/proc", Long.toString(program.pid()), "fd");
        user.ifPresent(owner -> own(descriptors, owner));
        var stdout = PipeEnd.open(descriptors.resolve("1"));
        try {
            return new OutputPipes(stdout, PipeEnd.open(descriptors.resolve("2")));
        } catch (RuntimeException failed) {
            stdout.close();
            throw failed;
        }
    }

    /// A program may open `/dev/stdout` only if the pipe behind it is its own.
    private static void own(Path descriptors, int user) {
        try {
            for (var number : List.of("0", "1", "2")) {
                var descriptor = descriptors.resolve(number);
                if (!Files.readSymbolicLink(descriptor).toString().startsWith("pipe:")) {
                    throw new IllegalStateException("the guest is ready before its pipes are");
                }
                Files.setAttribute(descriptor, "unix:uid", user);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot give pipes to the sandbox", failed);
        }
    }

    PipeEnd stdout() {
        return stdout;
    }

    PipeEnd stderr() {
        return stderr;
    }

    /// From now on they are closed by whoever reads them to their ends.
    OutputPipes handOn() {
        handedOn = true;
        return this;
    }

    /// Everyone in the sandbox is dead: what is in the pipes is the rest.
    void finish() {
        stdout.finish();
        stderr.finish();
    }

    @Override
    public void close() {
        if (!handedOn) {
            stdout.close();
            stderr.close();
        }
    }
}
