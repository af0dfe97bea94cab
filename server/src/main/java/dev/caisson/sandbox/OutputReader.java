package dev.caisson.sandbox;

import dev.caisson.linux.PipeEnd;
import java.util.ArrayList;
import java.util.List;

/// Reader of the two output pipes of a program, in whose order errors never come before output that
/// was written earlier, whoever wrote it: after it has read errors, it passes on what the pipe of
/// the output holds by then, and the errors last. No pipe tells when it was written to, so output
/// that comes in that moment stands before errors that were written just before it.
///
/// Used by one thread at a time; [#await()] may be another's.
public final class OutputReader implements AutoCloseable {
    private final PipeEnd stdout;
    private final PipeEnd stderr;
    private final byte[] output = new byte[PipeEnd.READ_BYTES_MAX];
    private final byte[] errors = new byte[PipeEnd.READ_BYTES_MAX];
    private volatile boolean outputEnded;
    private volatile boolean errorsEnded;

    public OutputReader(PipeEnd stdout, PipeEnd stderr) {
        this.stdout = stdout;
        this.stderr = stderr;
    }

    /// Blocks its thread, which is no virtual one, until there is something to read or an end.
    public void await() {
        PipeEnd.awaitAny(open());
    }

    /// The pipes that have not ended.
    public List<PipeEnd> open() {
        var open = new ArrayList<PipeEnd>(2);
        if (!outputEnded) {
            open.add(stdout);
        }
        if (!errorsEnded) {
            open.add(stderr);
        }
        return List.copyOf(open);
    }

    public boolean hasEnded() {
        return outputEnded && errorsEnded;
    }

    /// Passes on what is there: a bounded amount.
    ///
    /// @return how many bytes of errors, or of output if there were none
    public int read(Sink to) {
        int count = errorsEnded ? 0 : stderr.read(errors);
        errorsEnded = errorsEnded || count < 0;
        int before = readOutput(to, count > 0 ? PipeEnd.PIPE_BYTES_MAX : 1);
        if (count > 0) {
            to.write(Sink.Stream.STDERR, errors, 0, count);
        }
        return Math.max(count, before);
    }

    /// A pipe holds a bounded amount: when that much was read, all of it was that was there before.
    private int readOutput(Sink to, int enough) {
        int read = 0;
        while (!outputEnded && read < enough) {
            int count = stdout.read(output);
            outputEnded = count < 0;
            if (count <= 0) {
                break;
            }
            to.write(Sink.Stream.STDOUT, output, 0, count);
            read += count;
        }
        return read;
    }

    @Override
    public void close() {
        outputEnded = true;
        errorsEnded = true;
        stdout.close();
        stderr.close();
    }
}
