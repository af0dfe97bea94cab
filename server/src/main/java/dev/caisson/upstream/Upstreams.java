package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolIndex;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSource;
import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import dev.caisson.call.Deadline;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import dev.caisson.upstream.ReviewedTool.Decision;
import dev.caisson.upstream.StoredUpstream.Origin;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Upstreams of this server: what is stored of them, their links, and the tools that callers find.
/// The tools are in the database, so that they are found before anything is started. What another
/// server on the database changes is seen within a second, by [UpstreamWatch].
public final class Upstreams implements UpstreamDirectory, ToolSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upstreams.class);

    /// What it is made of.
    ///
    /// @param vault gives the value of a secret by its name, or refuses
    /// @param listAge how old a list may be while its upstream is connected
    /// @param apart how long after the begin of a list the next one may begin
    /// @param news is told of definitions that are others than before
    public record Parts(
            Store store,
            Clock clock,
            UpstreamLink.Maker links,
            UnaryOperator<String> vault,
            ToolNaming naming,
            Changes changes,
            Duration listAge,
            Duration apart,
            DefinitionNews news) {}

    /// A live upstream and the rounds that list it.
    private record Working(LiveUpstream live, ListingRounds rounds) {}

    private final Parts parts;
    private final UpstreamStore rows;
    private final Map<String, Working> working = new ConcurrentSkipListMap<>();
    private volatile Map<String, String> marks = Map.of();
    private volatile ToolIndex index = ToolIndex.of(List.of());
    private volatile Consumer<Set<String>> known = _ -> {};
    private boolean closed;

    public Upstreams(Parts parts) {
        this.parts = parts;
        this.rows = new UpstreamStore(parts.store(), parts.clock(), parts.naming());
    }

    /// Takes over the entries of the file, in place of stored ones of the same id.
    ///
    /// @param removes whether entries that are not in the file any more are removed
    public void take(Map<String, UpstreamFile.Entry> file, boolean removes) {
        var before = rows.all();
        for (var entry : file.values()) {
            var known =
                    before.stream()
                            .map(UpstreamStore.Whole::stored)
                            .filter(one -> one.id().equals(entry.settings().id()))
                            .findFirst();
            var same =
                    known.isPresent()
                            && known.get().origin() == Origin.FILE
                            && known.get().given().equals(entry.given());
            if (!same) {
                rows.put(entry.settings(), entry.given(), Origin.FILE, known.isEmpty());
                LOG.info("the upstream {} is taken from the file", entry.settings().id());
            }
        }
        before.stream()
                .map(UpstreamStore.Whole::stored)
                .filter(one -> removes && one.origin() == Origin.FILE)
                .filter(one -> !file.containsKey(one.id()))
                .forEach(one -> rows.remove(one.id(), Origin.FILE));
    }

    /// Reads what was stored since, by whichever process, and makes it so.
    public synchronized void refresh() {
        var now = rows.marks();
        if (closed || now.equals(marks)) {
            return;
        }
        for (var id : List.copyOf(working.keySet())) {
            if (!now.containsKey(id)) {
                end(id);
            }
        }
        for (var mark : now.entrySet()) {
            if (!mark.getValue().equals(marks.get(mark.getKey()))) {
                rows.find(mark.getKey()).ifPresent(this::follow);
            }
        }
        marks = now;
        known.accept(now.keySet());
        publish();
    }

    /// Notes what this server sees of each of them, for commands beside it.
    void note() {
        for (var one : working.values()) {
            var live = one.live();
            var seen = live.seen();
            if (!live.stored().noted().equals(Optional.of(seen))) {
                rows.noted(live.settings().id(), seen);
                live.has(live.stored().noting(seen), live.tools());
            }
        }
    }

    private void follow(UpstreamStore.Whole whole) {
        var id = whole.stored().id();
        var before = Optional.ofNullable(working.get(id));
        try {
            var settings = whole.stored().settings();
            if (before.isEmpty() || !before.get().live().settings().equals(settings)) {
                end(id);
                begin(whole, settings);
                return;
            }
            var live = before.get().live();
            var former = live.stored();
            live.has(whole.stored(), whole.tools());
            if (whole.stored().restartWanted().isAfter(former.restartWanted())) {
                live.link().restart();
                before.get().rounds().want();
            }
            if (whole.stored().refreshWanted().isAfter(former.refreshWanted())) {
                before.get().rounds().want();
            }
        } catch (UpstreamMistakes wrong) {
            LOG.warn("the upstream {} cannot be used: {}", id, wrong.sentences());
            end(id);
        }
    }

    private void begin(UpstreamStore.Whole whole, UpstreamSettings settings) {
        var id = settings.id();
        var credentials = new CredentialValues(settings, parts.vault());
        var link = parts.links().open(settings, credentials, whole.stored().era(), () -> want(id));
        var live = new LiveUpstream(whole.stored(), settings, whole.tools(), credentials, link);
        var rounds =
                new ListingRounds(
                        id,
                        parts.apart(),
                        () -> link.listAge().orElse(parts.listAge()),
                        live::isReady,
                        () -> list(live));
        working.put(id, new Working(live, rounds));
        rounds.start();
        if (isUnlisted(whole) || whole.stored().takesFirst()) {
            rounds.want();
        }
    }

    /// There are credentials where there were none: its tools are listed now.
    void connected(String id) {
        want(id);
    }

    /// Is told the ids of all there are, whenever they may be others.
    public void onKnown(Consumer<Set<String>> listener) {
        known = listener;
        listener.accept(marks.keySet());
    }

    private static boolean isUnlisted(UpstreamStore.Whole whole) {
        return whole.tools().values().stream().allMatch(tool -> tool.state() == ToolState.REMOVED);
    }

    private void want(String id) {
        Optional.ofNullable(working.get(id)).ifPresent(one -> one.rounds().want());
    }

    private void end(String id) {
        Optional.ofNullable(working.remove(id))
                .ifPresent(one -> {
                    one.rounds().close();
                    one.live().link().close();
                });
    }

    /// One round of listing. What it finds is stored, and read from there like every change.
    private void list(LiveUpstream live) throws InterruptedException {
        var id = live.settings().id();
        try {
            var limits = live.settings().limits();
            var listed = live.link().listTools(Deadline.in(limits.start().plus(limits.list())));
            live.link()
                    .era()
                    .filter(era -> !live.stored().era().equals(Optional.of(era)))
                    .ifPresent(era -> rows.speaks(id, era));
            var drift = rows.listed(live.settings(), live.credentials().stricken(listed));
            live.listed(parts.clock().instant(), Optional.empty());
            if (drift.isPresent() && drift.get().isNews()) {
                told(id, drift.get());
                parts.news().told(id, drift.get().changed(), drift.get().gone());
                followSoon();
            }
        } catch (UpstreamFailure failure) {
            var why = live.credentials().sentence(failure.sentence());
            live.listed(parts.clock().instant(), Optional.of(why));
            LOG.warn("the tools of the upstream {} could not be listed: {}", id, why);
        } catch (Refusal refusal) {
            live.listed(parts.clock().instant(), Optional.of(refusal.sentence()));
            LOG.warn("the upstream {} cannot be reached: {}", id, refusal.sentence());
        }
    }

    /// On a thread of its own: whoever ends a round waits for it.
    private void followSoon() {
        Thread.ofVirtual().name("upstreams-changed").start(this::refresh);
    }

    private static void told(String id, Drift drift) {
        if (!drift.waiting().isEmpty()) {
            LOG.warn(
                    "{} tools of the upstream {} wait for a review; review: auto in its entry takes them",
                    drift.waiting().size(),
                    id);
        }
        var taken =
                drift.changed().stream().filter(tool -> tool.state() == ToolState.APPROVED).count();
        if (taken > 0) {
            LOG.info("{} definitions of tools of the upstream {} were taken", taken, id);
        }
    }

    private void publish() {
        var byName = new LinkedHashMap<String, Tool>();
        working.values().stream()
                .flatMap(one -> one.live().found().stream())
                .forEach(tool -> {
                    if (byName.putIfAbsent(tool.spec().name(), tool) != null) {
                        LOG.warn("two upstreams have a tool {}; one counts", tool.spec().name());
                    }
                });
        var resources = new LinkedHashMap<String, Tool>();
        working.values().stream()
                .map(one -> one.live().resources())
                .forEach(read -> resources.putIfAbsent(read.spec().name(), read));
        var waiting =
                working.values().stream()
                        .flatMap(one -> one.live().waiting(parts.naming()).stream())
                        .toList();
        index = ToolIndex.of(byName.values(), resources.values(), waiting);
        parts.changes().announce(new Change.Tools(_ -> true));
        parts.changes().announce(new Change.Resources(_ -> true));
    }

    /// Whether types of the results of a tool are learned.
    public boolean learns(ToolOrigin tool) {
        return working.values().stream()
                .map(Working::live)
                .filter(live -> live.settings().module().equals(tool.server()))
                .anyMatch(live -> live.learns(tool.tool()));
    }

    @Override
    public ToolIndex tools(Caller caller) {
        return index;
    }

    @Override
    public List<UpstreamView> list() {
        return working.values().stream().map(one -> view(one.live())).toList();
    }

    /// Directories of this machine that stored entries show to their programs, also those that
    /// nothing else can be read of.
    public Set<Path> shown() {
        return rows.all().stream()
                .flatMap(whole -> whole.stored().given().path("show").valueStream())
                .map(each -> Path.of(each.asString("")))
                .collect(Collectors.toSet());
    }

    /// The state of each of them, by the name that its tools have.
    public Map<String, String> states() {
        return working.values().stream()
                .map(Working::live)
                .collect(
                        Collectors.toMap(
                                live -> live.settings().module(),
                                live -> live.link().state().word(),
                                (one, _) -> one));
    }

    /// How many messages came from each of them that nobody waited for.
    public Map<String, Double> dropped() {
        return working.values().stream()
                .map(Working::live)
                .collect(
                        Collectors.toMap(
                                live -> live.settings().module(),
                                live -> (double) live.link().dropped(),
                                (one, _) -> one));
    }

    @Override
    public UpstreamView find(String id) {
        return view(live(id).live());
    }

    private Working live(String id) {
        return Optional.ofNullable(working.get(id)).orElseThrow(() -> UpstreamStore.missing(id));
    }

    private static UpstreamView view(LiveUpstream live) {
        return UpstreamView.of(live.stored(), live.settings(), live.seen(), live.tools().values());
    }

    @Override
    public UpstreamView put(UpstreamSettings settings, ObjectNode given, boolean approve)
            throws InterruptedException {
        rows.put(settings, given, Origin.DATABASE, approve);
        refresh();
        return listed(settings.id());
    }

    @Override
    public UpstreamView add(UpstreamSettings settings, ObjectNode given, boolean approve)
            throws InterruptedException {
        rows.add(settings, given, approve);
        refresh();
        return listed(settings.id());
    }

    @Override
    public UpstreamView listed(String id) throws InterruptedException {
        var one = live(id);
        var limits = one.live().settings().limits();
        var most = limits.start().plus(limits.list()).plus(parts.apart());
        one.rounds().await(most.compareTo(LIST_WAIT_MAX) < 0 ? most : LIST_WAIT_MAX);
        refresh();
        return find(id);
    }

    @Override
    public UpstreamView restart(String id) {
        rows.wantRestart(id);
        refresh();
        return find(id);
    }

    @Override
    public void remove(String id) {
        rows.remove(id, Origin.DATABASE);
        refresh();
    }

    @Override
    public List<ReviewedTool> toolsOf(String id) {
        return List.copyOf(
                rows.find(id).orElseThrow(() -> UpstreamStore.missing(id)).tools().values());
    }

    @Override
    public List<ReviewedTool> review(String id, Map<String, Verdict> verdicts, String by) {
        var decided = rows.review(id, verdicts, new Decision(parts.clock().instant(), by));
        refresh();
        return decided;
    }

    /// Ends every link.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        List.copyOf(working.keySet()).forEach(this::end);
    }
}
