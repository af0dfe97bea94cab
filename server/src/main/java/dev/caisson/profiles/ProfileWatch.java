package dev.caisson.profiles;

import dev.caisson.config.RepeatedLook;
import java.time.Duration;

/// Keeps profiles and quotas of the servers on one database together: looks once in an interval for
/// profiles that another process changed, and writes what keys used of their quotas.
public final class ProfileWatch implements AutoCloseable {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Profiles profiles;
    private final Quotas quotas;
    private final RepeatedLook looks;

    private ProfileWatch(Profiles profiles, Quotas quotas) {
        this.profiles = profiles;
        this.quotas = quotas;
        this.looks = RepeatedLook.start("profiles and quotas", INTERVAL, this::look);
    }

    public static ProfileWatch start(Profiles profiles, Quotas quotas) {
        return new ProfileWatch(profiles, quotas);
    }

    private void look() {
        profiles.refresh();
        quotas.flush();
    }

    /// Writes what is left.
    @Override
    public void close() {
        looks.close();
        looks.now();
    }
}
