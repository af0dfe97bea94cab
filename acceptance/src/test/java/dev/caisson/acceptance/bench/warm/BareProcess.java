package dev.caisson.acceptance.bench.warm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Plain process without a sandbox, to compare with.
final class BareProcess {
    private BareProcess() {}

    /// @return how long it took, from asking to its status and the end of its output
    static long nanos(Row.Bare bare) throws IOException, InterruptedException {
        long asked = System.nanoTime();
        var process = new ProcessBuilder(bare.command()).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        long nanos = System.nanoTime() - asked;
        if (code != 0 || !said.equals("1\n")) {
            throw new IOException(bare + " ended with " + code + " and said " + said);
        }
        return nanos;
    }
}
