package dev.caisson.telemetry;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reporter of internal errors. Each is logged whole, once, under a number; the caller is shown the
/// number and nothing else.
public final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger("dev.caisson.fault");

    private final Metrics metrics;

    public Faults(Metrics metrics) {
        this.metrics = metrics;
    }

    /// @return the number under which the log has the rest
    public String report(Throwable fault) {
        var number = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 12);
        metrics.faults().inc();
        LOG.error("fault {}", number, fault);
        return number;
    }

    /// The sentence for the caller.
    public static String sentence(String number) {
        return "Something went wrong on our side; the server's log has it as fault number "
                + number
                + ".";
    }
}
