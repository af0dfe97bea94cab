package dev.caisson.sandbox.nest;

import dev.caisson.linux.Descriptor;
import dev.caisson.linux.PipeEnd;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Our ends of the pipes of one sandbox, while the other ends are on their way to it: the job, the
/// output, the errors and the guest's record are the program's, the status the shell's.
///
/// @param theirs the program's ends, in the order the nest expects
/// @param statusTheirs the shell's end
record NestPipes(
        OutputStream job,
        PipeEnd stdout,
        PipeEnd stderr,
        PipeEnd control,
        PipeEnd status,
        List<Descriptor> theirs,
        Descriptor statusTheirs)
        implements AutoCloseable {
    /// @param user who owns the pipes: a program may open `/dev/stdout` only if it is its own
    static NestPipes open(int user) throws IOException {
        var opened = new ArrayList<AutoCloseable>();
        boolean done = false;
        try {
            var job = Descriptor.Pipe.open();
            opened.add(job);
            var output = pipe(opened);
            var errors = pipe(opened);
            var control = pipe(opened);
            var status = pipe(opened);
            job.reading().giveTo(user);
            output.writing().giveTo(user);
            errors.writing().giveTo(user);
            var words = Files.newOutputStream(path(job.writing()));
            opened.add(words);
            job.writing().close();
            var pipes =
                    new NestPipes(
                            words,
                            reading(output, opened),
                            reading(errors, opened),
                            reading(control, opened),
                            reading(status, opened),
                            List.of(
                                    job.reading(),
                                    output.writing(),
                                    errors.writing(),
                                    control.writing()),
                            status.writing());
            done = true;
            return pipes;
        } finally {
            if (!done) {
                opened.forEach(NestPipes::closeQuietly);
            }
        }
    }

    private static Descriptor.Pipe pipe(List<AutoCloseable> opened) {
        var pipe = Descriptor.Pipe.open();
        opened.add(pipe);
        return pipe;
    }

    private static Path path(Descriptor descriptor) {
        return descriptor.path();
    }

    private static PipeEnd reading(Descriptor.Pipe pipe, List<AutoCloseable> opened) {
        var end = PipeEnd.of(pipe.reading());
        opened.add(end);
        return end;
    }

    private static void closeQuietly(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception failed) {
            throw new IllegalStateException("a pipe cannot be closed", failed);
        }
    }

    /// The sandbox has its ends, or will never have them.
    void release() {
        theirs.forEach(Descriptor::close);
        statusTheirs.close();
    }

    @Override
    public void close() throws IOException {
        release();
        stdout.close();
        stderr.close();
        control.close();
        status.close();
        job.close();
    }
}
