package dev.caisson.upstream;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import dev.caisson.upstream.Drift.Taking;
import dev.caisson.upstream.ReviewedTool.Decision;
import dev.caisson.upstream.StoredUpstream.Origin;
import dev.caisson.upstream.UpstreamSettings.Review;
import dev.caisson.upstream.connection.Era;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// Upstreams and their tools in the database, and every change of them. A server beside this one
/// sees each change by the revision of the upstream.
final class UpstreamStore {
    /// In which tools of one list get their names: the same wherever that list is taken.
    private static final Comparator<ReviewedTool> BY_NAME =
            Comparator.comparing(ReviewedTool::name);

    private final Store store;
    private final Clock clock;
    private final ToolNaming naming;

    UpstreamStore(Store store, Clock clock, ToolNaming naming) {
        this.store = store;
        this.clock = clock;
        this.naming = naming;
    }

    /// An upstream and its tools, read together.
    record Whole(StoredUpstream stored, Map<String, ReviewedTool> tools) {}

    List<Whole> all() {
        return store.read(handle ->
                UpstreamRows.all(handle).stream()
                        .map(one -> new Whole(one, ToolRows.all(handle, one.id())))
                        .toList());
    }

    Optional<Whole> find(String id) {
        return store.read(handle ->
                UpstreamRows.find(handle, id).map(one -> new Whole(one, ToolRows.all(handle, id))));
    }

    /// What tells whether anything changed, or is wanted, by id.
    Map<String, String> marks() {
        return store.read(UpstreamRows::marks);
    }

    /// Stores an entry, in place of the one of that id. Another peer under the same id has tools of
    /// its own: nothing that was approved of the former counts. Only the names in programs stay, so
    /// that a program never calls another tool by a name it knows.
    ///
    /// @throws Refusal FORBIDDEN for an upstream of the file; INVALID_ARGUMENT where programs could
    ///   not tell it from another, or there are too many
    void put(UpstreamSettings settings, ObjectNode given, Origin origin, boolean takesFirst) {
        store.write(handle -> put(handle, settings, given, origin, takesFirst));
    }

    /// Stores an entry under an id that must be new.
    ///
    /// @throws Refusal CONFLICT when it is not; see [#put]
    void add(UpstreamSettings settings, ObjectNode given, boolean takesFirst) {
        store.write(handle -> {
            if (UpstreamRows.find(handle, settings.id()).isPresent()) {
                throw new Refusal(
                        Reason.CONFLICT,
                        "There is an upstream %s already. Choose another id, or replace it."
                                .formatted(settings.id()),
                        Map.of(Refusal.RETRYABLE, false));
            }
            return put(handle, settings, given, Origin.DATABASE, takesFirst);
        });
    }

    private String put(
            Transaction handle,
            UpstreamSettings settings,
            ObjectNode given,
            Origin origin,
            boolean takesFirst) {
        var before = UpstreamRows.find(handle, settings.id());
        requirePlace(handle, settings, before.isPresent());
        if (origin == Origin.DATABASE) {
            before.ifPresent(UpstreamStore::requireStored);
        }
        var samePeer = before.map(one -> isSamePeer(one, settings)).orElse(false);
        if (!samePeer) {
            keepNames(handle, settings.id());
        }
        var first = samePeer ? before.orElseThrow().takesFirst() || takesFirst : takesFirst;
        UpstreamRows.put(handle, settings.id(), origin, given, first, clock.instant());
        return settings.id();
    }

    private static void keepNames(Transaction handle, String id) {
        for (var tool : ToolRows.all(handle, id).values()) {
            if (tool.pythonName().isPresent()) {
                ToolRows.put(handle, id, tool.named());
            } else {
                ToolRows.delete(handle, id, tool.name());
            }
        }
    }

    private static boolean isSamePeer(StoredUpstream before, UpstreamSettings settings) {
        try {
            return before.settings().peer().equals(settings.peer());
        } catch (UpstreamMistakes _) {
            return false;
        }
    }

    private static void requirePlace(
            Transaction handle, UpstreamSettings settings, boolean replaces) {
        var others = UpstreamRows.all(handle);
        if (!replaces && others.size() >= UpstreamFile.UPSTREAMS_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "There are %d upstreams already, the most there can be. Remove one first."
                            .formatted(UpstreamFile.UPSTREAMS_MAX));
        }
        for (var other : others) {
            if (!other.id().equals(settings.id())
                    && UpstreamSettings.module(other.id()).equals(settings.module())) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "Programs could not tell %s from %s: both are the module %s. Choose another id."
                                .formatted(settings.id(), other.id(), settings.module()),
                        Map.of("parameter", "id"));
            }
        }
    }

    /// @throws Refusal NOT_FOUND when there is none; FORBIDDEN for one of the file
    void remove(String id, Origin origin) {
        store.write(handle -> {
            var stored = UpstreamRows.find(handle, id).orElseThrow(() -> missing(id));
            if (origin == Origin.DATABASE) {
                requireStored(stored);
            }
            ToolRows.deleteAll(handle, id);
            return UpstreamRows.delete(handle, id);
        });
    }

    /// Asks every server on this database for a new list.
    ///
    /// @throws Refusal NOT_FOUND when there is none
    void wantRefresh(String id) {
        store.write(handle -> {
            require(handle, id);
            UpstreamRows.wantRefresh(handle, id, clock.instant());
            return id;
        });
    }

    /// Asks every server on this database for a new connection.
    ///
    /// @throws Refusal NOT_FOUND when there is none
    void wantRestart(String id) {
        store.write(handle -> {
            require(handle, id);
            UpstreamRows.wantRestart(handle, id, clock.instant());
            return id;
        });
    }

    /// Notes what this server sees of an upstream, for commands beside it.
    void noted(String id, StoredUpstream.Noted noted) {
        store.write(handle -> {
            UpstreamRows.noted(handle, id, noted);
            return id;
        });
    }

    /// Remembers the era of the protocol that an upstream speaks.
    void speaks(String id, Era era) {
        store.write(handle -> {
            UpstreamRows.speaks(handle, id, era);
            return id;
        });
    }

    /// Compares a list with what was decided, and keeps what it is now.
    ///
    /// @return empty when the upstream was removed meanwhile
    Optional<Drift> listed(UpstreamSettings settings, List<ObjectNode> listed) {
        return store.write(handle -> {
            var stored = UpstreamRows.find(handle, settings.id());
            if (stored.isEmpty()) {
                return Optional.empty();
            }
            var used =
                    listed.stream()
                            .filter(tool -> settings.tools().takes(Drift.name(tool)))
                            .toList();
            var before = ToolRows.all(handle, settings.id());
            var drift = Drift.of(before, used, taking(stored.get(), settings), clock.instant());
            var changed =
                    drift.changed().stream().sorted(BY_NAME).map(naming(drift.tools())).toList();
            changed.forEach(tool -> ToolRows.put(handle, settings.id(), tool));
            drift.gone().forEach(name -> ToolRows.delete(handle, settings.id(), name));
            if (stored.get().takesFirst()) {
                UpstreamRows.firstTaken(handle, settings.id());
            }
            if (!changed.isEmpty() || !drift.gone().isEmpty()) {
                UpstreamRows.touch(handle, settings.id());
            }
            return Optional.of(drift);
        });
    }

    private static Taking taking(StoredUpstream stored, UpstreamSettings settings) {
        if (settings.review() == Review.AUTO) {
            return Taking.ALL;
        }
        return settings.review() == Review.FIRST && stored.takesFirst()
                ? Taking.FIRST
                : Taking.NOTHING;
    }

    /// What a person decides on tools: on all of them, or on none.
    ///
    /// @param verdicts by the names of the tools
    /// @return in the order of the verdicts
    /// @throws Refusal NOT_FOUND when there is none; CHANGED when its definition is another now;
    ///   CONFLICT when it cannot be approved
    List<ReviewedTool> review(String id, Map<String, Verdict> verdicts, Decision by) {
        return store.write(handle -> {
            require(handle, id);
            var tools = ToolRows.all(handle, id);
            var names = naming(tools);
            var decided = new ArrayList<ReviewedTool>();
            verdicts.forEach((name, verdict) -> decided.add(verdict.on(tool(id, tools, name), by)));
            var named = new HashMap<String, ReviewedTool>();
            decided.stream()
                    .sorted(BY_NAME)
                    .forEach(tool -> named.put(tool.name(), names.apply(tool)));
            decided.replaceAll(tool -> named.getOrDefault(tool.name(), tool));
            decided.forEach(tool -> ToolRows.put(handle, id, tool));
            UpstreamRows.touch(handle, id);
            return decided;
        });
    }

    private static ReviewedTool tool(String id, Map<String, ReviewedTool> tools, String name) {
        return Optional.ofNullable(tools.get(name))
                .orElseThrow(() ->
                        new Refusal(
                                Reason.NOT_FOUND,
                                "The upstream %s has no tool of this name.".formatted(id)));
    }

    /// Gives names to a tool that may be called and has none.
    private UnaryOperator<ReviewedTool> naming(Map<String, ReviewedTool> tools) {
        var python = new HashSet<String>();
        var js = new HashSet<String>();
        tools.values()
                .forEach(tool -> {
                    tool.pythonName().ifPresent(python::add);
                    tool.jsName().ifPresent(js::add);
                });
        return tool -> {
            if (tool.approval().isEmpty() || tool.pythonName().isPresent()) {
                return tool;
            }
            var names = naming.name(tool.name(), Set.copyOf(python), Set.copyOf(js));
            python.add(names.python());
            js.add(names.js());
            return tool.called(names.python(), names.js());
        };
    }

    private static void require(Transaction handle, String id) {
        if (UpstreamRows.find(handle, id).isEmpty()) {
            throw missing(id);
        }
    }

    private static void requireStored(StoredUpstream stored) {
        if (stored.origin() == Origin.FILE) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "The upstream %s is defined in the file upstreams.file of the server: change it there."
                            .formatted(stored.id()));
        }
    }

    static Refusal missing(String id) {
        return new Refusal(
                Reason.NOT_FOUND,
                "There is no upstream of this id. `caisson upstream list` and GET /v1/upstreams have them.",
                Map.of("upstream", id.length() > 40 ? "" : id));
    }
}
