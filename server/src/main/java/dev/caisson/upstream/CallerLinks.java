package dev.caisson.upstream;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.LinkState;
import dev.caisson.upstream.connection.ServerLink;
import dev.caisson.upstream.connection.UpstreamFailure;
import dev.caisson.upstream.connection.UpstreamResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Links to one upstream: one for each caller, made with its first call, and one of the server's
/// own, which lists the tools. No call of one caller goes over the connection of another. When
/// there are as many as may be, the one that has been unused for longest gives way.
final class CallerLinks implements UpstreamLink {
    /// Callers that have a link to one upstream at the same time.
    static final int CALLERS_MAX = 32;

    /// Maker of the link of one caller.
    @FunctionalInterface
    interface Maker {
        ServerLink open(String caller);
    }

    /// Check that a caller has the credentials that its connection needs.
    @FunctionalInterface
    interface Admission {
        void require(String caller) throws UpstreamFailure, InterruptedException;
    }

    private final String upstream;
    private final ServerLink own;
    private final Maker maker;
    private final Admission admission;

    /// In the order of their last use.
    private final Map<String, CallerLink> links = new LinkedHashMap<>(16, 0.75f, true);

    private long droppedBefore;
    private boolean closed;

    CallerLinks(String upstream, ServerLink own, Maker maker, Admission admission) {
        this.upstream = upstream;
        this.own = own;
        this.maker = maker;
        this.admission = admission;
    }

    private static final class CallerLink {
        private final ServerLink link;
        private int underWay;

        CallerLink(ServerLink link) {
            this.link = link;
        }
    }

    @Override
    public UpstreamResult callTool(
            String caller, String tool, ObjectNode arguments, CallOptions options)
            throws InterruptedException, UpstreamFailure {
        return over(caller, link -> link.callTool(caller, tool, arguments, options));
    }

    @Override
    public UpstreamResult readResource(String caller, String uri, CallOptions options)
            throws InterruptedException, UpstreamFailure {
        return over(caller, link -> link.readResource(caller, uri, options));
    }

    @FunctionalInterface
    private interface Work {
        UpstreamResult over(ServerLink link) throws UpstreamFailure, InterruptedException;
    }

    private UpstreamResult over(String caller, Work work)
            throws UpstreamFailure, InterruptedException {
        admission.require(caller);
        var taken = take(caller);
        try {
            return work.over(taken.link);
        } finally {
            synchronized (this) {
                taken.underWay--;
            }
        }
    }

    private synchronized CallerLink take(String caller) throws UpstreamFailure {
        if (closed) {
            throw failure(ToolErrorType.UPSTREAM_UNAVAILABLE, "was removed.");
        }
        var known = links.get(caller);
        if (known == null) {
            makeRoom();
            known = new CallerLink(maker.open(caller));
            links.put(caller, known);
        }
        known.underWay++;
        return known;
    }

    private void makeRoom() throws UpstreamFailure {
        if (links.size() < CALLERS_MAX) {
            return;
        }
        var unused =
                links.entrySet().stream()
                        .filter(each -> each.getValue().underWay == 0)
                        .findFirst()
                        .orElseThrow(() ->
                                failure(
                                        ToolErrorType.NO_CAPACITY,
                                        "has calls of %d callers under way, the most there can be. Try again later."
                                                .formatted(CALLERS_MAX)));
        end(unused.getValue());
        links.remove(unused.getKey());
    }

    /// To say farewell may take a while, for which nobody waits.
    private void end(CallerLink each) {
        droppedBefore += each.link.dropped();
        Thread.ofVirtual().name("caller-link-end").start(each.link::close);
    }

    private UpstreamFailure failure(ToolErrorType type, String what) {
        return new UpstreamFailure(type, false, "The upstream %s %s".formatted(upstream, what));
    }

    /// How many callers have one.
    synchronized int callers() {
        return links.size();
    }

    @Override
    public LinkState state() {
        return own.state();
    }

    @Override
    public Optional<String> trouble() {
        return own.lastFailure();
    }

    @Override
    public Optional<Era> era() {
        return own.era();
    }

    @Override
    public synchronized long dropped() {
        return droppedBefore
                + own.dropped()
                + links.values().stream().mapToLong(each -> each.link.dropped()).sum();
    }

    @Override
    public List<ObjectNode> listTools(Deadline deadline)
            throws InterruptedException, UpstreamFailure {
        return own.listTools(deadline);
    }

    @Override
    public Optional<Duration> listAge() {
        return own.listAge();
    }

    @Override
    public void restart() {
        own.restart();
        endAll();
    }

    private synchronized void endAll() {
        links.values().forEach(this::end);
        links.clear();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        own.close();
        endAll();
    }
}
