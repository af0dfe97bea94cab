package dev.caisson.identity;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that goes on when a test says so, in both its forms.
final class TestClock extends Clock {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicLong nanos = new AtomicLong(-5);

    void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant instant() {
        return NOON.plusNanos(nanos.get() + 5);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
