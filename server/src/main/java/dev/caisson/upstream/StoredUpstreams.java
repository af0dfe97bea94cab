package dev.caisson.upstream;

import dev.caisson.store.Store;
import dev.caisson.upstream.ReviewedTool.Decision;
import dev.caisson.upstream.StoredUpstream.Noted;
import dev.caisson.upstream.StoredUpstream.Origin;
import dev.caisson.upstream.connection.LinkState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.node.ObjectNode;

/// Upstreams in the database, for a process that connects to none. The servers that serve them do
/// what is wanted here, and note what they see.
public final class StoredUpstreams implements UpstreamDirectory {
    private static final long LOOK_MILLIS = 100;

    private static final Noted NOT_SERVED =
            new Noted(LinkState.IDLE, Optional.empty(), Optional.empty());

    private final UpstreamStore rows;
    private final Clock clock;
    private final BooleanSupplier served;

    /// @param served whether a server is there that does what is wanted
    public StoredUpstreams(Store store, Clock clock, ToolNaming naming, BooleanSupplier served) {
        this.rows = new UpstreamStore(store, clock, naming);
        this.clock = clock;
        this.served = served;
    }

    @Override
    public List<UpstreamView> list() {
        return rows.all().stream().flatMap(whole -> view(whole).stream()).toList();
    }

    @Override
    public UpstreamView find(String id) {
        return rows.find(id)
                .flatMap(StoredUpstreams::view)
                .orElseThrow(() -> UpstreamStore.missing(id));
    }

    /// Empty for an entry that no version of today can read.
    private static Optional<UpstreamView> view(UpstreamStore.Whole whole) {
        var stored = whole.stored();
        try {
            return Optional.of(
                    UpstreamView.of(
                            stored,
                            stored.settings(),
                            stored.noted().orElse(NOT_SERVED),
                            whole.tools().values()));
        } catch (UpstreamMistakes _) {
            return Optional.empty();
        }
    }

    @Override
    public UpstreamView put(UpstreamSettings settings, ObjectNode given, boolean approve)
            throws InterruptedException {
        rows.put(settings, given, Origin.DATABASE, approve);
        return listed(settings.id());
    }

    @Override
    public UpstreamView add(UpstreamSettings settings, ObjectNode given, boolean approve)
            throws InterruptedException {
        rows.add(settings, given, approve);
        return listed(settings.id());
    }

    @Override
    public UpstreamView listed(String id) throws InterruptedException {
        var before = lastList(id);
        rows.wantRefresh(id);
        var end = System.nanoTime() + LIST_WAIT_MAX.toNanos();
        while (served.getAsBoolean() && System.nanoTime() < end && lastList(id).equals(before)) {
            Thread.sleep(LOOK_MILLIS);
        }
        return find(id);
    }

    private Optional<Instant> lastList(String id) {
        return rows.find(id).flatMap(one -> one.stored().noted()).flatMap(Noted::listed);
    }

    @Override
    public UpstreamView restart(String id) {
        rows.wantRestart(id);
        return find(id);
    }

    @Override
    public void remove(String id) {
        rows.remove(id, Origin.DATABASE);
    }

    @Override
    public List<ReviewedTool> toolsOf(String id) {
        return List.copyOf(
                rows.find(id).orElseThrow(() -> UpstreamStore.missing(id)).tools().values());
    }

    @Override
    public List<ReviewedTool> review(String id, Map<String, Verdict> verdicts, String by) {
        return rows.review(id, verdicts, new Decision(clock.instant(), by));
    }
}
