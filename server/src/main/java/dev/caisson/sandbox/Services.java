package dev.caisson.sandbox;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.KernelException;
import dev.caisson.sandbox.pool.Places;
import dev.caisson.share.HeldShare;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starter of services. A service lives in a sandbox made by the same lines as those of programs:
/// own user, namespaces, filter, control group, read-only root and an empty network. What it is
/// told goes through a pipe, so no secret stands on a command line.
///
/// One of a name lives at a time: the next waits until the one before is gone, whose files it has.
public final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);

    /// Directories that are the sandbox's own, or whose content is the same as the host's anyway.
    private static final Set<String> NOT_SHOWN =
            Set.of(
                    "proc",
                    "dev",
                    "sys",
                    "run",
                    "tmp",
                    "var",
                    "workspace",
                    "data",
                    "volumes",
                    "etc",
                    "usr",
                    "bin",
                    "sbin",
                    "lib",
                    "lib64",
                    "lib32",
                    "node_modules");

    private final SandboxRuntime runtime;
    private final Places places;
    private final Executor threads;
    private final Runs runs;
    private final Clock clock;
    private final Map<String, LiveService> living = new ConcurrentHashMap<>();

    Services(SandboxRuntime runtime, Places places, Executor threads, Runs runs, Clock clock) {
        this.runtime = runtime;
        this.places = places;
        this.threads = threads;
        this.runs = runs;
        this.clock = clock;
    }

    /// Those that live now.
    public List<Service> living() {
        return List.copyOf(living.values());
    }

    /// Why a directory of the host cannot be shown to a service at its own path; empty when it can.
    public static Optional<String> complaint(Path directory) {
        var path = directory.normalize();
        if (!path.isAbsolute() || path.getNameCount() == 0 || !path.equals(directory)) {
            return Optional.of("it is not the whole path of a directory");
        }
        var top = path.getName(0).toString();
        boolean below =
                top.equals("var") && path.getNameCount() > 2 && !path.startsWith("/var/tmp");
        return NOT_SHOWN.contains(top) && !below
                ? Optional.of("/" + top + " is the sandbox's own")
                : Optional.empty();
    }

    /// Starts a service.
    ///
    /// @throws Refusal when there is no capacity, or no sandbox can be made
    public Service start(ServiceOrder order) throws InterruptedException {
        var refusal = runs.isolation().refusal();
        if (refusal.isPresent()) {
            throw new Refusal(Reason.UNAVAILABLE, refusal.get());
        }
        var boot = boot(order);
        awaitEnd(order.name());
        var held = places.reserve(order.name(), order.limits());
        boolean made = false;
        try (var _ = places.enter(order.name())) {
            var service = live(order, boot, held);
            made = true;
            return service;
        } catch (TooLittleMemory little) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "Its memory does not let the service " + order.name() + " start.");
        } catch (IOException | UncheckedIOException | KernelException | Unclean failed) {
            LOG.error("no sandbox could be made for the service {}", order.name(), failed);
            throw new Refusal(Reason.UNAVAILABLE, NotMade.FOR_CALLERS);
        } finally {
            if (!made) {
                held.close();
            }
        }
    }

    /// The shell is what reads the order; what it becomes is in the order.
    private Boot boot(ServiceOrder order) {
        var shell =
                runs.runners()
                        .of(Language.BASH)
                        .flatMap(runner -> runs.runners().boot(runner))
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.UNAVAILABLE,
                                        "There is no bash to start services with."));
        var shown = new ArrayList<Boot.Shown>();
        for (var directory : order.show()) {
            var wrong = complaint(directory);
            if (wrong.isPresent()) {
                throw new Refusal(
                        Reason.UNAVAILABLE,
                        "%s cannot be shown to the service %s: %s."
                                .formatted(directory, order.name(), wrong.get()));
            }
            shown.add(Boot.Shown.atItsPlace(directory));
        }
        return new Boot(
                shell.root(),
                List.of(shell.command().getFirst(), "/run/guest/bash/upstream.sh"),
                Map.of(),
                List.of(),
                shown,
                Optional.empty());
    }

    private void awaitEnd(String name) throws InterruptedException {
        var before = living.get(name);
        if (before != null) {
            before.stop();
            before.awaitGone();
        }
    }

    private LiveService live(ServiceOrder order, Boot boot, HeldShare held)
            throws IOException, InterruptedException, TooLittleMemory {
        var box =
                runtime.make(
                        new Blueprint(
                                boot,
                                order.limits(),
                                Optional.of(order.data()),
                                places.weightOfNext(order.name())));
        var weight = places.weigh(order.name(), box);
        box.onKill(weight::dying);
        var offered = new AtomicReference<Runnable>(() -> {});
        Runnable leave =
                () -> {
                    try {
                        box.end(order.name());
                    } finally {
                        weight.close();
                        held.close();
                        offered.get().run();
                    }
                };
        boolean begun = false;
        try {
            box.apply(order.limits());
            box.attach(order.data());
            var furnished = order.furnishing().into(box);
            offered.set(furnished.end());
            var lines = box.open((_, _) -> {});
            lines.jobs().write(words(order, furnished.variables()));
            lines.jobs().flush();
            var service =
                    new LiveService(order.name(), clock.instant(), box, lines, leave, threads);
            living.put(order.name(), service);
            service.onGone(() -> living.remove(order.name(), service));
            begun = true;
            return service;
        } finally {
            if (!begun) {
                leave.run();
            }
        }
    }

    private static byte[] words(ServiceOrder order, Map<String, String> offered) {
        var variables = new TreeMap<>(offered);
        variables.putAll(order.environment());
        var words = new StringBuilder();
        variables.forEach(
                (name, value) -> words.append(name).append('=').append(value).append('\0'));
        order.command().forEach(word -> words.append('=').append(word).append('\0'));
        return words.append('\0').toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Ends all of them, and waits until they are gone.
    void close(Duration atMost) {
        var all = List.copyOf(living.values());
        all.forEach(LiveService::stop);
        long end = System.nanoTime() + atMost.toNanos();
        for (var each : all) {
            Uninterrupted.call(
                    () -> each.awaitGone(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
        }
    }
}
