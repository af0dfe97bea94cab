package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// ServerLink to one upstream: makes its connection when somebody needs it, once for all who wait,
/// keeps it while it is used, asks after it when it is silent, and leaves an upstream that fails
/// alone for longer and longer.
public final class ServerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);

    /// How long a caller waits for the end of a back-off, rather than being told of it.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration PING_MAX = Duration.ofSeconds(10);
    private static final Duration LOOK_MAX = Duration.ofSeconds(1);

    private final Terms terms;
    private final Connector connector;
    private final CallTurns turns;
    private final BackOff backOff = new BackOff();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile LinkState state = LinkState.IDLE;
    private Optional<Connection> connection = Optional.empty();
    private CompletableFuture<Connection> starting = new CompletableFuture<>();
    private Optional<Era> era;
    private Optional<String> lastFailure = Optional.empty();
    private long nextAttempt;
    private long droppedBefore;
    private boolean closed;

    /// Terms of a link.
    ///
    /// @param server as it is called in sentences
    /// @param concurrency calls under way at once
    /// @param start how long it may take until the upstream is ready
    /// @param idle how long a connection without a call is kept
    /// @param silence after which a connection is asked whether it is there
    public record Terms(
            String server, int concurrency, Duration start, Duration idle, Duration silence) {
        /// After which a connection is asked whether it is there.
        public static final Duration SILENCE = Duration.ofSeconds(30);
    }

    /// @param era that it spoke before, when that is known
    public ServerLink(Terms terms, Connector connector, Optional<Era> era) {
        this.terms = terms;
        this.connector = connector;
        this.era = era;
        this.turns = new CallTurns(terms.server(), terms.concurrency());
    }

    private ServerLink(ServerLink other, Connector connector) {
        this.terms = other.terms;
        this.connector = connector;
        this.era = other.era();
        this.turns = other.turns;
    }

    /// Another link to the same upstream, whose calls take turns with those of this one.
    public ServerLink beside(Connector other) {
        return new ServerLink(this, other);
    }

    public LinkState state() {
        return state;
    }

    /// Why it is not ready, in words for an operator; empty when nothing failed lately.
    public synchronized Optional<String> lastFailure() {
        return lastFailure;
    }

    /// What the upstream last said about itself.
    public synchronized Optional<ServerAbout> about() {
        return connection.map(Connection::about);
    }

    /// The era it speaks, once that is known.
    public synchronized Optional<Era> era() {
        return era;
    }

    /// How many calls wait for a turn.
    public int waiting() {
        return turns.waiting();
    }

    /// How many messages came over its connections that nobody waited for.
    public synchronized long dropped() {
        return droppedBefore + connection.map(Connection::dropped).orElse(0L);
    }

    /// The connection is not its own any more.
    private synchronized void forget(Connection old) {
        droppedBefore += old.dropped();
        connection = Optional.empty();
    }

    public void onListChanged(Runnable heard) {
        listeners.add(heard);
    }

    /// Calls a tool when the caller's turn has come. To cancel, interrupt.
    public UpstreamResult callTool(
            String caller, String tool, ObjectNode arguments, CallOptions options)
            throws UpstreamFailure, InterruptedException {
        return inTurn(caller, options, connection -> connection.callTool(tool, arguments, options));
    }

    /// Reads a resource when the caller's turn has come. To cancel, interrupt.
    public UpstreamResult readResource(String caller, String uri, CallOptions options)
            throws UpstreamFailure, InterruptedException {
        return inTurn(caller, options, connection -> connection.readResource(uri, options));
    }

    /// One request over a connection.
    @FunctionalInterface
    private interface Work<T> {
        T over(Connection connection) throws UpstreamFailure, InterruptedException;
    }

    private UpstreamResult inTurn(String caller, CallOptions options, Work<UpstreamResult> work)
            throws UpstreamFailure, InterruptedException {
        try (var _ = turns.take(caller, options.deadline())) {
            return overOneOfTwo(options.deadline(), work);
        }
    }

    /// Over another connection where the first had ended before the upstream looked at anything.
    private <T> T overOneOfTwo(Deadline deadline, Work<T> work)
            throws UpstreamFailure, InterruptedException {
        var first = connected(deadline);
        try {
            return work.over(first);
        } catch (UpstreamFailure failed) {
            if (failed.sent() || first.isOpen() || deadline.isOver()) {
                throw failed;
            }
        }
        return work.over(connected(deadline));
    }

    /// Definitions of all tools as they were received.
    public List<ObjectNode> listTools(Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        return overOneOfTwo(deadline, connection -> connection.listTools(deadline));
    }

    /// How long the last list of tools counts, as far as the upstream says so.
    public synchronized Optional<Duration> listAge() {
        return connection.flatMap(Connection::listAge);
    }

    /// Forgets all failures and the connection; the next call makes another one.
    public void restart() {
        Optional<Connection> old;
        synchronized (this) {
            backOff.forget();
            lastFailure = Optional.empty();
            nextAttempt = System.nanoTime();
            old = connection;
            old.ifPresent(this::forget);
            if (state != LinkState.STARTING) {
                state = LinkState.IDLE;
            }
        }
        old.ifPresent(Connection::close);
    }

    private Connection connected(Deadline deadline) throws UpstreamFailure, InterruptedException {
        while (true) {
            var coming = coming(deadline);
            if (coming.isPresent()) {
                return await(coming.get(), deadline);
            }
            Thread.sleep(50);
        }
    }

    /// The connection that is there or will be; empty while a back-off that is soon over lasts.
    private synchronized Optional<CompletableFuture<Connection>> coming(Deadline deadline)
            throws UpstreamFailure {
        if (closed) {
            throw unavailable("was removed");
        }
        noticeEnd();
        if (connection.isPresent()) {
            return Optional.of(CompletableFuture.completedFuture(connection.get()));
        }
        if (state == LinkState.STARTING) {
            return Optional.of(starting);
        }
        var wait = Duration.ofNanos(nextAttempt - System.nanoTime());
        if (state != LinkState.IDLE && wait.isPositive()) {
            requirePatience(wait, deadline);
            return Optional.empty();
        }
        return Optional.of(start());
    }

    private void requirePatience(Duration wait, Deadline deadline) throws UpstreamFailure {
        boolean soon = wait.compareTo(PATIENCE) <= 0 && wait.compareTo(deadline.left()) < 0;
        if (!soon || state == LinkState.BROKEN) {
            throw unavailable(
                    "%s, and is tried again in %d s"
                            .formatted(
                                    lastFailure.orElse("cannot be reached"), wait.toSeconds() + 1));
        }
    }

    private UpstreamFailure unavailable(String what) {
        return new UpstreamFailure(
                ToolErrorType.UPSTREAM_UNAVAILABLE,
                false,
                "The upstream %s %s.".formatted(terms.server(), what));
    }

    private Connection await(CompletableFuture<Connection> coming, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        try {
            return coming.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new UpstreamFailure(
                    ToolErrorType.TIMEOUT,
                    false,
                    "The upstream %s was not ready in time.".formatted(terms.server()));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UpstreamFailure failure) {
                // Nothing of the call itself was sent.
                throw failure.unsent();
            }
            throw new IllegalStateException(failed);
        }
    }

    /// On a thread of its own: whoever asked first may leave, and others wait for the same.
    private CompletableFuture<Connection> start() {
        state = LinkState.STARTING;
        starting = new CompletableFuture<>();
        var coming = starting;
        Thread.ofVirtual().name("upstream-start").start(() -> start(coming));
        return coming;
    }

    private void start(CompletableFuture<Connection> coming) {
        try {
            var made = connector.connect(era(), Deadline.in(terms.start()));
            if (ready(made)) {
                coming.complete(made);
            } else {
                made.close();
                coming.completeExceptionally(unavailable("was removed"));
            }
        } catch (UpstreamFailure failed) {
            if (failed.visit().isPresent()) {
                waits(failed.sentence());
            } else {
                failed(failed.sentence());
            }
            coming.completeExceptionally(failed);
        } catch (InterruptedException stopping) {
            failed("its start was interrupted");
            coming.completeExceptionally(unavailable("was not started"));
        } catch (RuntimeException fault) {
            LOG.error("the connection to {} could not be made", terms.server(), fault);
            failed("could not be started");
            coming.completeExceptionally(unavailable("could not be started"));
        }
    }

    private boolean ready(Connection made) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            connection = Optional.of(made);
            era = Optional.of(made.about().era());
            state = LinkState.READY;
            lastFailure = Optional.empty();
        }
        made.onListChanged(() -> listeners.forEach(Runnable::run));
        Thread.ofVirtual().name("upstream-keeper").start(() -> keep(made));
        LOG.info("the upstream {} is ready, by {}", terms.server(), made.about().revision().word());
        return true;
    }

    /// For a person: it is there, and is asked again when somebody needs it.
    private synchronized void waits(String what) {
        lastFailure = Optional.of(plain(what));
        state = LinkState.IDLE;
    }

    private String plain(String what) {
        var prefix = "The upstream " + terms.server() + " ";
        var plain = what.startsWith(prefix) ? what.substring(prefix.length()) : what;
        return plain.endsWith(".") ? plain.substring(0, plain.length() - 1) : plain;
    }

    private synchronized void failed(String what) {
        var plain = plain(what);
        lastFailure = Optional.of(plain);
        nextAttempt = System.nanoTime() + backOff.failed(System.nanoTime()).toNanos();
        state = backOff.isBroken() ? LinkState.BROKEN : LinkState.BACKING_OFF;
        LOG.warn("the upstream {} is {}: {}", terms.server(), state.word(), plain);
    }

    /// A connection that has ended is none. One that was closed for what came over it is made anew
    /// at once: its upstream is there.
    private synchronized void noticeEnd() {
        if (connection.isEmpty() || connection.get().isOpen()) {
            return;
        }
        boolean garbled = connection.get().isGarbled();
        connection.get().close();
        forget(connection.get());
        if (garbled) {
            state = LinkState.IDLE;
        } else {
            failed("lost its connection");
        }
    }

    private void keep(Connection kept) {
        long since = System.nanoTime();
        var look = shorter(LOOK_MAX, shorter(terms.idle(), terms.silence()).dividedBy(4));
        try {
            while (isCurrent(kept)) {
                Thread.sleep(look);
                if (System.nanoTime() - since > BackOff.UPTIME.toNanos()) {
                    forgetFailures(kept);
                }
                if (!kept.isOpen()) {
                    noticeEnd();
                } else if (kept.underWay() == 0 && kept.sinceCall().compareTo(terms.idle()) > 0) {
                    stopIdle(kept);
                } else if (kept.underWay() == 0
                        && kept.sinceHeard().compareTo(terms.silence()) > 0) {
                    ping(kept);
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private synchronized boolean isCurrent(Connection kept) {
        return connection.filter(each -> each == kept).isPresent();
    }

    private synchronized void forgetFailures(Connection kept) {
        if (isCurrent(kept)) {
            backOff.forget();
        }
    }

    private void stopIdle(Connection kept) {
        synchronized (this) {
            if (!isCurrent(kept) || kept.underWay() > 0) {
                return;
            }
            forget(kept);
            state = LinkState.IDLE;
        }
        kept.close();
    }

    /// One that is busy is not hung.
    private void ping(Connection kept) throws InterruptedException {
        try {
            kept.ping(Deadline.in(PING_MAX));
        } catch (UpstreamFailure silent) {
            synchronized (this) {
                if (!isCurrent(kept) || kept.underWay() > 0) {
                    return;
                }
                forget(kept);
                failed("did not answer when it was asked whether it is there");
            }
            kept.close();
        }
    }

    /// Ends the connection; calls under way fail.
    @Override
    public void close() {
        Optional<Connection> old;
        synchronized (this) {
            closed = true;
            old = connection;
            old.ifPresent(this::forget);
            state = LinkState.IDLE;
        }
        old.ifPresent(Connection::close);
    }
}
