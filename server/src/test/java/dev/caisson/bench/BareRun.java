package dev.caisson.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The same program as a plain process of this machine.
final class BareRun {
    private BareRun() {}

    /// @return how long it took
    static long nanos(List<String> command) throws IOException, InterruptedException {
        long asked = System.nanoTime();
        var process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        long nanos = System.nanoTime() - asked;
        if (code != 0 || !said.equals(Hello.SAID)) {
            throw new IOException(command + " ended with " + code + " and said " + said);
        }
        return nanos;
    }
}
