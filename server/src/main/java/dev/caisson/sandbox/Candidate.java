package dev.caisson.sandbox;

import java.util.List;

/// Candidate for a [Runner], as a runtime knows it before its interpreter was asked.
public sealed interface Candidate {
    /// One that can be tried.
    ///
    /// @param image what it is made of, as [Runner#image] says
    /// @param boots ways to start it, the preferred one first; the first that answers is taken
    record Bootable(String name, Language language, String image, List<Boot> boots)
            implements Candidate {
        public Bootable {
            boots = List.copyOf(boots);
        }
    }

    /// One that lacks something, so that there is nothing to try.
    record Absent(Runner.Missing missing) implements Candidate {}
}
