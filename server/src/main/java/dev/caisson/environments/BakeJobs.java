package dev.caisson.environments;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Bakes of this server: so many at once, one of a name, and the last ones remembered for those who
/// ask.
final class BakeJobs implements AutoCloseable {
    private static final Duration END_MAX = Duration.ofSeconds(10);

    private final int atOnce;
    private final int remembered;
    private final Map<String, BakeRecord> records = new LinkedHashMap<>();
    private final List<Thread> working = new ArrayList<>();
    private boolean closed;

    BakeJobs(int atOnce, int remembered) {
        this.atOnce = atOnce;
        this.remembered = remembered;
    }

    /// Has a bake done on a thread of its own.
    ///
    /// @throws Refusal CONFLICT when that name is being baked, NO_CAPACITY when too many are
    synchronized void start(BakeRecord record, Consumer<BakeRecord> work) {
        requireFree(record.name());
        records.put(record.id(), record);
        forgetOld();
        working.removeIf(thread -> !thread.isAlive());
        working.add(
                Thread.ofPlatform()
                        .daemon()
                        .name("bake-" + record.name())
                        .start(() -> work.accept(record)));
    }

    private void requireFree(String name) {
        var under =
                records.values().stream()
                        .filter(each -> each.state() == BakeRecord.State.RUNNING)
                        .toList();
        if (under.stream().anyMatch(each -> each.name().equals(name))) {
            throw new Refusal(
                    Reason.CONFLICT, "The environment %s is being baked.".formatted(name));
        }
        if (closed || under.size() >= atOnce) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "%d bakes are under way, which is as many as there may be. Wait for one to end."
                            .formatted(under.size()));
        }
    }

    private void forgetOld() {
        var over =
                records.values().stream()
                        .filter(each -> each.state() != BakeRecord.State.RUNNING)
                        .map(BakeRecord::id)
                        .toList();
        over.stream().limit(Math.max(0, records.size() - remembered)).forEach(records::remove);
    }

    /// Those that are remembered, the oldest first.
    synchronized List<BakeRecord> all() {
        return List.copyOf(records.values());
    }

    synchronized Optional<BakeRecord> find(String id) {
        return Optional.ofNullable(records.get(id));
    }

    /// The last one of a name.
    Optional<BakeRecord> last(String name) {
        return all().stream().filter(each -> each.name().equals(name)).reduce((_, next) -> next);
    }

    /// Ends what is under way, and waits for it.
    @Override
    public void close() {
        List<Thread> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(working);
        }
        left.forEach(Thread::interrupt);
        try {
            for (var thread : left) {
                thread.join(END_MAX);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
