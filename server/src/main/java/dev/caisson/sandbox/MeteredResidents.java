package dev.caisson.sandbox;

import dev.caisson.telemetry.Metrics;
import java.util.Optional;
import java.util.OptionalLong;

/// Metering decorator of [Residents]: counts the programs of sessions as runs, which they are.
public final class MeteredResidents implements Residents {
    private final Residents residents;
    private final RunMeter meter;

    public MeteredResidents(Residents residents, Metrics metrics) {
        this.residents = residents;
        this.meter = new RunMeter(metrics);
    }

    @Override
    public Settling settle(Run first) throws InterruptedException {
        return switch (residents.settle(first)) {
            case Settling.Settled(var resident) ->
                    new Settling.Settled(new Metered(resident, meter));
            case Settling.Failed failed -> failed;
        };
    }

    @Override
    public boolean isShortByOwn(Run first, long resting) {
        return residents.isShortByOwn(first, resting);
    }

    private record Metered(Resident resident, RunMeter meter) implements Resident {
        @Override
        public Outcome run(Run run) throws InterruptedException {
            return meter.observed(run, resident.run(run));
        }

        @Override
        public long rest() {
            return resident.rest();
        }

        @Override
        public boolean isShortByOwn(long resting) {
            return resident.isShortByOwn(resting);
        }

        @Override
        public OptionalLong memoryBytes() {
            return resident.memoryBytes();
        }

        @Override
        public Optional<Outcome> ended() {
            return resident.ended();
        }

        @Override
        public void kill() {
            resident.kill();
        }

        @Override
        public void close() {
            resident.close();
        }
    }
}
