package dev.caisson.upstream.connection;

import java.io.InputStream;
import java.io.OutputStream;

/// Process that speaks the protocol on its standard input and output.
public interface StdioProcess {
    OutputStream in();

    InputStream out();

    /// Ends it: closes its input, and kills it when it does not end by itself. Waits for nothing,
    /// and may be called more than once.
    void stop();
}
