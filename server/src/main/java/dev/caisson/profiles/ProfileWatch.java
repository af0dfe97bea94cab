package dev.caisson.profiles;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps profiles and quotas of the servers on one database together: looks once in an interval for
/// profiles that another process changed, and writes what keys used of their quotas.
public final class ProfileWatch implements AutoCloseable {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(ProfileWatch.class);

    private final Profiles profiles;
    private final Quotas quotas;
    private final Thread thread;

    private ProfileWatch(Profiles profiles, Quotas quotas, Duration interval) {
        this.profiles = profiles;
        this.quotas = quotas;
        this.thread = Thread.ofVirtual().name("profiles").unstarted(() -> repeat(interval));
    }

    public static ProfileWatch start(Profiles profiles, Quotas quotas) {
        return start(profiles, quotas, INTERVAL);
    }

    static ProfileWatch start(Profiles profiles, Quotas quotas, Duration interval) {
        var watch = new ProfileWatch(profiles, quotas, interval);
        watch.thread.start();
        return watch;
    }

    private void repeat(Duration interval) {
        try {
            while (true) {
                Thread.sleep(interval);
                look();
            }
        } catch (InterruptedException _) {
            LOG.debug("no more looks for profiles");
        }
    }

    private void look() {
        try {
            profiles.refresh();
            quotas.flush();
        } catch (RuntimeException trouble) {
            LOG.warn("profiles and quotas could not be read; retrying", trouble);
        }
    }

    /// Writes what is left.
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        look();
    }
}
