package dev.caisson.sandbox;

import java.io.IOException;

/// Failure to make a sandbox, with the reason for the operator's log.
public final class NotMade extends IOException {
    private static final long serialVersionUID = 1L;

    /// Why in detail names places of the host, which are the operator's to know.
    public static final String FOR_CALLERS =
            "No sandbox could be made. The operator finds the reason in the server's log.";

    public NotMade(String why) {
        super(why);
    }
}
