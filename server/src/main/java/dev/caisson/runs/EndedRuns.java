package dev.caisson.runs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Memory of background runs that have ended: their whole reports, with images of workspaces that
/// are erased by now. Without an entry here a report is made of the record of the execution.
///
/// Bounded in bytes; the caller that has most loses its oldest first.
final class EndedRuns {
    static final long BYTES_MAX = 64L << 20;
    static final Duration LIFE = Duration.ofHours(1);

    /// What an entry takes beside its texts and images, and each file that it names.
    private static final long ENTRY_BYTES = 4 << 10;

    private static final long FILE_BYTES = 512;

    /// @param envelope as it is shown
    record Entry(String owner, FinishedRun run, Envelope envelope, long bytes, long at) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final long bytesMax;

    EndedRuns() {
        this(BYTES_MAX);
    }

    EndedRuns(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    synchronized void keep(String owner, FinishedRun run, Envelope envelope) {
        forgetOld();
        entries.put(run.id(), new Entry(owner, run, envelope, bytes(run), System.nanoTime()));
        while (total() > bytesMax) {
            entries.remove(victim());
        }
    }

    synchronized Optional<Entry> find(String owner, String id) {
        forgetOld();
        return Optional.ofNullable(entries.get(id)).filter(entry -> entry.owner().equals(owner));
    }

    private void forgetOld() {
        var now = System.nanoTime();
        entries.values().removeIf(entry -> now - entry.at() > LIFE.toNanos());
    }

    private long total() {
        return entries.values().stream().mapToLong(Entry::bytes).sum();
    }

    private String victim() {
        Map<String, Long> byOwner = new LinkedHashMap<>();
        entries.values().forEach(entry -> byOwner.merge(entry.owner(), entry.bytes(), Long::sum));
        var largest =
                byOwner.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey();
        return entries.values().stream()
                .filter(entry -> entry.owner().equals(largest))
                .findFirst()
                .orElseThrow()
                .run()
                .id();
    }

    private static long bytes(FinishedRun run) {
        var pictures = run.pictures().stream().mapToLong(picture -> picture.bytes().length).sum();
        var text =
                2L
                        * (run.output().stdout().text().length()
                                + run.output().stderr().text().length());
        var shown = run.display().stream().mapToLong(form -> 2L * form.text().length()).sum();
        return ENTRY_BYTES + pictures + shown + text + FILE_BYTES * run.files().files().size();
    }
}
