package dev.caisson.profiles;

/// A run that was counted for the quotas of its key.
public interface CountedRun {
    /// One of a key without quotas.
    CountedRun FREE =
            new CountedRun() {
                @Override
                public void giveBack() {}

                @Override
                public void ended(long cpuMillis, long bytes) {}
            };

    /// Its program never started.
    void giveBack();

    /// It is over.
    void ended(long cpuMillis, long bytes);
}
