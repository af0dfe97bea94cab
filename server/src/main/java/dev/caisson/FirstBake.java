package dev.caisson;

import dev.caisson.actions.EnvironmentActions;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.environments.BakeRecord;
import dev.caisson.environments.Environments;
import dev.caisson.environments.ShippedLock;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// First bake of a server: makes the environments that ship with the product, behind the listening
/// server. Where no registry answers it says so in one line, and the server goes on without them.
final class FirstBake {
    private static final Logger LOG = LoggerFactory.getLogger(FirstBake.class);

    private final Environments environments;
    private final EnvironmentActions actions;

    FirstBake(Environments environments, EnvironmentActions actions) {
        this.environments = environments;
        this.actions = actions;
    }

    /// Starts what is missing.
    ///
    /// @return what an operator should know about it
    Optional<String> start() throws InterruptedException {
        if (!environments.settings().bake()) {
            return Optional.empty();
        }
        var started = environments.unbaked().stream().flatMap(each -> bake(each).stream()).toList();
        return started.isEmpty() ? Optional.empty() : Optional.of(words(started));
    }

    private Optional<BakeRecord> bake(ShippedLock shipped) {
        try {
            var call = Call.of(Caller.LOCAL, Door.INSIDE, TraceContext.fresh());
            var record = actions.bake(call, shipped.word(), shipped.lock());
            Thread.ofVirtual().start(() -> tell(record));
            return Optional.of(record);
        } catch (Refusal refused) {
            LOG.warn("environment {} is not baked: {}", shipped.word(), refused.sentence());
            return Optional.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static void tell(BakeRecord record) {
        try {
            if (record.await() == BakeRecord.State.FAILED) {
                LOG.warn(
                        "programs go on without the packages of {}; to try again: caisson environment bake {}",
                        record.name(),
                        record.name());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static String words(List<BakeRecord> started) {
        var hosts =
                started.stream()
                        .flatMap(each -> each.hosts().stream())
                        .collect(Collectors.toCollection(TreeSet::new));
        return "Packages are being made ready in the background: %s. %s To prevent it: --set environments.bake=false"
                .formatted(
                        started.stream().map(BakeRecord::name).collect(Collectors.joining(", ")),
                        hosts.isEmpty()
                                ? "They come from this machine's own registries."
                                : "Hosts that are asked: " + String.join(", ", hosts) + ".");
    }
}
