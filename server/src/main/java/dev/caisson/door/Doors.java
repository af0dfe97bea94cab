package dev.caisson.door;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.BoundedClose;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.runs.ToolAccess;
import dev.caisson.stubs.Learned;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Maker of the doors of runs.
public final class Doors implements BoundedClose {
    /// The own tools a program may call: those that begin no run of their own. A tree of runs could
    /// wait for places that it holds itself.
    public static final Set<String> OWN_TOOLS =
            Set.of(
                    "files_list",
                    "files_download",
                    "files_upload",
                    "files_delete",
                    "read",
                    "write",
                    "edit",
                    "patch",
                    "glob",
                    "grep",
                    "output_read",
                    "list_runners");

    private final Supplier<Broker> broker;
    private final BooleanSupplier possible;
    private final Rules rules;
    private final CallDeadlines deadlines;
    private final Views views;

    /// What holds for all of them.
    ///
    /// @param own the own tools that may be called
    /// @param views what programs import
    record Rules(DoorSettings settings, Set<String> own, CallDeadlines deadlines, Views views) {}

    /// @param broker of the calls, which has tools that have this
    /// @param possible whether something can listen inside sandboxes
    /// @param wrappers directory of the files that programs import
    public Doors(
            Supplier<Broker> broker,
            BooleanSupplier possible,
            DoorSettings settings,
            Path wrappers) {
        this(broker, possible, settings, wrappers, Learned.NOTHING);
    }

    /// @param learned of results of tools, which the files say
    public Doors(
            Supplier<Broker> broker,
            BooleanSupplier possible,
            DoorSettings settings,
            Path wrappers,
            Learned learned) {
        this.broker = broker;
        this.possible = possible;
        this.deadlines = new CallDeadlines();
        this.views = new Views(wrappers, Views.Limits.DEFAULT, System::nanoTime, learned);
        this.rules = new Rules(settings, OWN_TOOLS, deadlines, views);
    }

    /// The access that a call gives to its program. Without a word about tools a program gets a way
    /// to them when its caller may call tools of other servers: a run that has no use for it pays
    /// nothing.
    ///
    /// @param patterns as they were asked for
    /// @throws dev.caisson.call.Refusal INVALID_ARGUMENT for a pattern of another form
    public ToolAccess of(Call call, Optional<List<String>> patterns) {
        var grants = patterns.map(Grants::of);
        if (grants.filter(Grants::isNothing).isPresent()) {
            return ToolAccess.NONE;
        }
        if (!call.caller().network().isNone() && !rules.settings().mixedModes()) {
            return withoutTools(grants);
        }
        if (grants.isEmpty() && (!possible.getAsBoolean() || !seesOthers(call))) {
            return ToolAccess.NONE;
        }
        if (!possible.getAsBoolean()) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "This server runs as a plain user, and so programs have no way to tools. Leave"
                            + " out tools; its operator can run it as root.");
        }
        return id -> new RunDoor(broker.get(), rules, call, grants.orElse(Grants.ALL), id);
    }

    /// What a program of a key with a network gets: one way out or the other.
    private static ToolAccess withoutTools(Optional<Grants> asked) {
        if (asked.isPresent()) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "Your key has a network, and so its programs have no tools: what a tool gives them"
                            + " could leave by it. Leave out tools, or use a key without network;"
                            + " the operator can allow both by sandbox.mixed_modes.");
        }
        return ToolAccess.NONE;
    }

    private boolean seesOthers(Call call) {
        return broker.get().callable(call.caller()).stream()
                .map(ToolSpec::origin)
                .anyMatch(Optional::isPresent);
    }

    @Override
    public void close(Duration atMost) {
        deadlines.close(atMost);
        views.close();
    }
}
