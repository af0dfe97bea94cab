package dev.caisson.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.OptionalLong;

/// Service: a program that lives long in a sandbox of its own.
public interface Service {
    String name();

    Instant since();

    /// Its standard input. Closing it asks the program to end.
    OutputStream in();

    /// Its standard output, at its end when the program has ended. To read blocks a thread, which
    /// is no virtual one.
    InputStream out();

    /// The last it wrote to standard error, for operators: nobody has looked at it.
    String recentErrors();

    /// Whether the program has ended.
    boolean hasEnded();

    /// What everything in it uses now; empty where nobody measures it, and when it is gone.
    OptionalLong memoryBytes();

    /// Does something once everything of it is gone; at once when it is.
    void onGone(Runnable then);

    /// Ends it: closes its input, and makes sure when it does not end by itself. Waits for nothing,
    /// and may be called by anyone more than once.
    void stop();
}
