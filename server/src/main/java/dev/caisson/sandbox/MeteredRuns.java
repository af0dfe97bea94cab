package dev.caisson.sandbox;

import dev.caisson.telemetry.Metrics;

/// Metering decorator of [Runs]: counts them by how they ended, and where their time went. What is
/// refused is counted where refusals are.
public final class MeteredRuns implements Runs {
    private final Runs runs;
    private final RunMeter meter;

    public MeteredRuns(Runs runs, Metrics metrics) {
        this.runs = runs;
        this.meter = new RunMeter(metrics);
    }

    @Override
    public Outcome run(Run run) throws InterruptedException {
        return meter.observed(run, runs.run(run));
    }

    @Override
    public Runners runners() {
        return runs.runners();
    }

    @Override
    public Isolation isolation() {
        return runs.isolation();
    }

    @Override
    public boolean takesDoors() {
        return runs.takesDoors();
    }

    @Override
    public boolean canPark() {
        return runs.canPark();
    }

    @Override
    public String makers() {
        return runs.makers();
    }
}
