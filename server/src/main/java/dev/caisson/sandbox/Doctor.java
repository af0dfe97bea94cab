package dev.caisson.sandbox;

import dev.caisson.sandbox.doctor.Examination;

/// Doctor of the sandboxes: examines the host and attacks a sandbox of its own from inside, to see
/// what holds.
public final class Doctor {
    private final Runs runs;
    private final Workspace workspace;

    /// @param workspace empty, and for the doctor alone
    public Doctor(Runs runs, Workspace workspace) {
        this.runs = runs;
        this.workspace = workspace;
    }

    public DoctorReport examine() throws InterruptedException {
        return new Examination(runs, workspace).report();
    }
}
