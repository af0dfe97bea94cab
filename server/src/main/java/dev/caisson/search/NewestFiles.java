package dev.caisson.search;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.Node;
import dev.caisson.linux.UntrustedDirectory;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// The files that changed last among those a walk meets. It may be filled by several strands.
public final class NewestFiles {
    /// A file as it was met.
    @SuppressWarnings("ArrayRecordComponent") // Compared by its time and path alone.
    public record Found(byte[] path, long bytes, Instant modified) {}

    /// The newest first; those of one time by their paths.
    private static final Comparator<Found> ORDER =
            Comparator.comparing(Found::modified)
                    .reversed()
                    .thenComparing(Found::path, Arrays::compareUnsigned);

    private final int limit;
    private final PriorityQueue<Found> kept = new PriorityQueue<>(ORDER.reversed());
    private long total;

    public NewestFiles(int limit) {
        this.limit = limit;
    }

    private synchronized void add(byte[] path, Node node) {
        total++;
        kept.add(new Found(path, node.size(), node.modified()));
        if (kept.size() > limit) {
            kept.remove();
        }
    }

    public synchronized List<Found> files() {
        return kept.stream().sorted(ORDER).toList();
    }

    public synchronized long total() {
        return total;
    }

    /// A visitor of one strand.
    public Seeker.Visitor visitor() {
        return new Looking();
    }

    private final class Looking implements Seeker.Visitor {
        @Override
        public void begin(UntrustedDirectory directory, byte[] path, byte[] name) {
            var node = directory.look(name);
            if (node.isFile()) {
                add(path, node);
            }
        }

        @Override
        public boolean next() throws KernelException {
            return false;
        }

        @Override
        public void close() {}
    }
}
