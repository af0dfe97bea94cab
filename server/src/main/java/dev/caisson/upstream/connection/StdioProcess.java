package dev.caisson.upstream.connection;

import java.io.InputStream;
import java.io.OutputStream;

/// Process that speaks the protocol on its standard input and output.
public interface StdioProcess {
    OutputStream in();

    InputStream out();

    /// The last that it wrote to its standard error, once it has ended; of one that is ending,
    /// after a short wait.
    String recentErrors() throws InterruptedException;

    /// Ends it: closes its input, and kills it when it does not end by itself. Waits for nothing,
    /// and may be called more than once.
    void stop();
}
