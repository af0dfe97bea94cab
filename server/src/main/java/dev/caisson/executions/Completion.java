package dev.caisson.executions;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// How an execution ended.
///
/// @param exitCode when the program ended by itself
/// @param signal the name of the signal that ended it
/// @param error what to know beyond the exit code
/// @param files what it left, or the first of it
/// @param filesTotal how many there are, listed or not
/// @param envelopeDigest of the answer as it was given
/// @param redactions secrets taken out of the answer
/// @param handed what the program gave beside its output, as it was answered
public record Completion(
        ExecutionStatus status,
        Optional<Integer> exitCode,
        Optional<String> signal,
        Optional<String> error,
        Used used,
        Written stdout,
        Written stderr,
        List<LeftFile> files,
        long filesTotal,
        Optional<String> envelopeDigest,
        long redactions,
        Optional<Handed> handed) {
    /// More files are counted, not listed.
    public static final int FILES_MAX = 200;

    public Completion {
        files = List.copyOf(files);
        if (status == ExecutionStatus.RUNNING) {
            throw new IllegalArgumentException("what is running is not complete");
        }
        if (files.size() > FILES_MAX) {
            throw new IllegalArgumentException("more than " + FILES_MAX + " files");
        }
    }

    /// What the run used, measured from outside.
    ///
    /// @param start where its sandbox came from
    public record Used(
            long queueMillis,
            long wallMillis,
            long cpuMillis,
            long memoryPeakBytes,
            Optional<String> start) {
        public static final Used NOTHING = new Used(0, 0, 0, 0, Optional.empty());
    }

    /// A value, where it is, or why there is none.
    ///
    /// @param storedBytes of a value that is kept with the output
    public record Handed(
            Optional<JsonNode> data,
            Optional<InFile> dataFile,
            Optional<String> dataNote,
            Optional<Long> storedBytes) {}

    public record InFile(String path, long bytes) {}

    /// What went to one stream.
    ///
    /// @param bytes that the program wrote
    /// @param storedBytes that are kept
    /// @param truncated whether the answer left some out
    public record Written(long bytes, long storedBytes, boolean truncated) {
        public static final Written NOTHING = new Written(0, 0, false);
    }

    /// @param path from the root of the workspace
    /// @param changed made or touched by this run
    public record LeftFile(String path, long size, String mimeType, boolean changed) {}

    /// The end of a run of which no more is known.
    public static Completion without(ExecutionStatus status, String why) {
        return new Completion(
                status,
                Optional.empty(),
                Optional.empty(),
                Optional.of(why),
                Used.NOTHING,
                Written.NOTHING,
                Written.NOTHING,
                List.of(),
                0,
                Optional.empty(),
                0,
                Optional.empty());
    }

    long storedBytes() {
        return stdout.storedBytes()
                + stderr.storedBytes()
                + handed.flatMap(Handed::storedBytes).orElse(0L);
    }
}
