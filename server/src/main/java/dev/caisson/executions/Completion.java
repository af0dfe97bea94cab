package dev.caisson.executions;

import dev.caisson.json.Inline;
import java.util.List;
import java.util.Optional;

/// Record of how an execution ended, as it is stored with it.
///
/// @param files what it left, or the first of it
/// @param filesTotal how many there are, listed or not
/// @param envelopeDigest of the answer as it was given
/// @param redactions secrets taken out of the answer
/// @param handed what the program gave beside its output, as it was answered
/// @param notes absent where there are none, and from what former versions kept
public record Completion(
        @Inline Ended ended,
        RunUsage used,
        StreamFigures stdout,
        StreamFigures stderr,
        List<LeftFile> files,
        long filesTotal,
        Optional<String> envelopeDigest,
        long redactions,
        Optional<ReturnedValue> handed,
        Optional<EndNotes> notes) {
    /// More files are counted, not listed.
    public static final int FILES_MAX = 200;

    public Completion {
        files = List.copyOf(files);
        if (files.size() > FILES_MAX) {
            throw new IllegalArgumentException("more than " + FILES_MAX + " files");
        }
    }

    /// The end of a run of which no more is known.
    public static Completion without(ExecutionStatus status, String why) {
        return new Completion(
                Ended.without(status, why),
                RunUsage.NOTHING,
                StreamFigures.NOTHING,
                StreamFigures.NOTHING,
                List.of(),
                0,
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty());
    }

    /// The last expression and the advice.
    public EndNotes said() {
        return notes.orElse(EndNotes.NONE);
    }

    /// Of its output.
    long spooledBytes() {
        return stdout.storedBytes() + stderr.storedBytes();
    }

    /// Of the value that is kept with it.
    long valueBytes() {
        return handed.map(ReturnedValue::keptBytes).orElse(0L);
    }
}
