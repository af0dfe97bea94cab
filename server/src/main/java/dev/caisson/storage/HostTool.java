package dev.caisson.storage;

import java.io.IOException;

/// A program of the host that is run with arguments of ours alone.
public final class HostTool {
    private HostTool() {}

    /// @throws IOException when it is not installed, or fails
    public static void run(String... words) throws IOException, InterruptedException {
        int status = status(words);
        if (status != 0) {
            throw new IOException(words[0] + " ended with " + status);
        }
    }

    /// What it says is nobody's business: names in it may be a program's.
    ///
    /// @return its exit status
    public static int status(String... words) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            process.getOutputStream().close();
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }
}
