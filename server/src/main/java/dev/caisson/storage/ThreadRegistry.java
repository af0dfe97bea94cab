package dev.caisson.storage;

import dev.caisson.call.Caller;

/// Registry of threads that have files, kept apart from the files: a thread whose files were lost
/// is not taken for a new one.
public interface ThreadRegistry {
    /// Knows nothing, for those who keep no threads.
    ThreadRegistry NONE =
            new ThreadRegistry() {
                @Override
                public boolean isKnown(String place) {
                    return false;
                }

                @Override
                public void add(Caller caller, String threadId, String place) {}

                @Override
                public void remove(String place) {}
            };

    boolean isKnown(String place);

    /// Returns when it is durable, also when it was known before.
    void add(Caller caller, String threadId, String place);

    void remove(String place);
}
