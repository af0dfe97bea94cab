package dev.caisson.upstream;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Service;
import dev.caisson.sandbox.ServiceOrder;
import dev.caisson.sandbox.Services;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.upstream.connection.StdioProcess;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starter of the processes of upstreams as services. Each has a workspace of its own, which is
/// kept, and one at a time uses it.
public final class UpstreamProcesses implements ConnectionLinks.Processes {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamProcesses.class);

    /// How long the one before may take to leave its workspace.
    private static final long LEAVE_SECONDS_MAX = 20;

    /// How long one that is ending may take until its last errors are read.
    private static final long ERRORS_SECONDS_MAX = 5;

    private final Path directory;
    private final Services services;
    private final WorkspaceMaker workspaces;
    private final Limits limits;
    private final Set<String> privateHosts;
    private final Map<String, Running> latest = new ConcurrentHashMap<>();

    /// @param directory of the workspaces, by id
    /// @param limits of each service, except its memory
    /// @param privateHosts names that may have private addresses
    public UpstreamProcesses(
            Path directory,
            Services services,
            WorkspaceMaker workspaces,
            Limits limits,
            Set<String> privateHosts) {
        this.directory = directory;
        this.services = services;
        this.workspaces = workspaces;
        this.limits = limits;
        this.privateHosts = Set.copyOf(privateHosts);
    }

    @Override
    public StdioProcess start(
            ConnectionLinks.Place place, Peer.Command command, Map<String, String> env)
            throws UpstreamFailure, InterruptedException {
        var upstream = place.upstream();
        for (var shown : command.show()) {
            if (!Files.isDirectory(shown)) {
                throw failure(upstream, "The directory " + shown + " of show is not there.");
            }
        }
        var name = name(place);
        awaitLeft(upstream, name);
        var least = limits.withMemory(command.memoryBytes());
        var data = open(upstream, directory(place), name);
        boolean made = false;
        try {
            var service =
                    services.start(
                            new ServiceOrder(
                                    name,
                                    command.command(),
                                    env,
                                    command.show(),
                                    data.workspace(),
                                    least,
                                    network(upstream, command, least)));
            made = true;
            var running = new Running(service, new CountDownLatch(1));
            latest.put(name, running);
            service.onGone(() -> {
                data.close();
                latest.remove(name, running);
                running.left().countDown();
            });
            return running;
        } catch (Refusal refusal) {
            throw new UpstreamFailure(
                    refusal.reason() == Reason.NO_CAPACITY
                            ? ToolErrorType.NO_CAPACITY
                            : ToolErrorType.UPSTREAM_UNAVAILABLE,
                    false,
                    sentence(upstream, refusal.sentence()));
        } finally {
            if (!made) {
                data.close();
            }
        }
    }

    private static String name(ConnectionLinks.Place place) {
        return "upstream:"
                + place.upstream()
                + place.caller().map(_ -> ":" + hash(place)).orElse("");
    }

    /// No id begins with a dot.
    private Path directory(ConnectionLinks.Place place) {
        return place.caller().isEmpty()
                ? directory.resolve(place.upstream())
                : directory.resolve(".callers").resolve(place.upstream()).resolve(hash(place));
    }

    private static String hash(ConnectionLinks.Place place) {
        return HashedNames.directoryName(place.caller().orElseThrow(), place.upstream());
    }

    private ServiceOrder.Furnishing network(String upstream, Peer.Command command, Limits given) {
        return command.network().isEmpty()
                ? ServiceOrder.Furnishing.NOTHING
                : new ServiceNetwork(
                        upstream, command.network(), privateHosts, given.nodeOptions());
    }

    private void awaitLeft(String upstream, String name)
            throws UpstreamFailure, InterruptedException {
        var before = latest.get(name);
        if (before != null) {
            before.stop();
            if (!before.left().await(LEAVE_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw failure(upstream, "The process before it has not ended yet.");
            }
        }
    }

    private WorkspaceMaker.Opened open(String upstream, Path place, String holder)
            throws UpstreamFailure {
        try {
            return workspaces.open(HashedNames.privateDirectory(place), holder);
        } catch (IOException failed) {
            LOG.error("the files of the upstream {} cannot be opened", upstream, failed);
            throw failure(upstream, "Its files cannot be opened; see the log.");
        } catch (Refusal refusal) {
            throw failure(upstream, refusal.sentence());
        }
    }

    private static UpstreamFailure failure(String upstream, String why) {
        return new UpstreamFailure(
                ToolErrorType.UPSTREAM_UNAVAILABLE, false, sentence(upstream, why));
    }

    private static String sentence(String upstream, String why) {
        return "The upstream %s cannot be started. %s".formatted(upstream, why);
    }

    /// @param left is down when its workspace is closed
    private record Running(Service service, CountDownLatch left) implements StdioProcess {
        @Override
        public OutputStream in() {
            return service.in();
        }

        @Override
        public InputStream out() {
            return service.out();
        }

        @Override
        public String recentErrors() throws InterruptedException {
            var _ = left.await(ERRORS_SECONDS_MAX, TimeUnit.SECONDS);
            return service.recentErrors();
        }

        @Override
        public void stop() {
            service.stop();
        }
    }
}
