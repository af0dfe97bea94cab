package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.egress.OutgoingHttp;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Way to an upstream: the transport, and the era of the protocol.
enum Way {
    HTTP_JSON(Era.LEGACY),
    HTTP_EVENTS(Era.LEGACY),
    SSE(Era.SSE),
    STDIO(Era.LEGACY),
    MODERN_JSON(Era.MODERN),
    MODERN_EVENTS(Era.MODERN),
    MODERN_STDIO(Era.MODERN);

    private static final Duration SOON = Duration.ofSeconds(30);

    private final Era era;

    Way(Era era) {
        this.era = era;
    }

    /// What the ways have in common.
    record Parts(
            OutgoingHttp http,
            ReadBudget budget,
            int resultBytesMax,
            boolean forms,
            List<AutoCloseable> open) {}

    boolean isStdio() {
        return this == STDIO || this == MODERN_STDIO;
    }

    /// Whether all answers come on one stream.
    boolean isOneStream() {
        return isStdio() || this == SSE;
    }

    /// Whether an answer is one message and nothing before it.
    boolean isJson() {
        return this == HTTP_JSON || this == MODERN_JSON;
    }

    /// Whether the end of a request is all that tells of its cancellation.
    boolean cancelsByEnd() {
        return this == MODERN_JSON || this == MODERN_EVENTS;
    }

    boolean isModern() {
        return era == Era.MODERN;
    }

    Connection connect(FakeUpstream upstream, Parts rig) throws Exception {
        upstream.speaks(era);
        var connection = connector(upstream, rig).connect(Optional.of(era), Deadline.in(SOON));
        rig.open().add(connection);
        return connection;
    }

    private Connector connector(FakeUpstream upstream, Parts rig) throws IOException {
        if (isStdio()) {
            return new StdioConnector(
                    "fake",
                    () -> new FakeStdio(upstream),
                    rig.resultBytesMax(),
                    rig.budget(),
                    rig.forms());
        }
        if (this == SSE) {
            var server = new FakeSse(upstream);
            rig.open().add(server);
            return http(server.address(), rig);
        }
        var server = new FakeHttp(upstream, !isJson());
        rig.open().add(server);
        return http(server.address(), rig);
    }

    private static Connector http(URI address, Parts rig) {
        return new HttpConnector(
                "fake",
                rig.http(),
                address,
                HttpConnector.Kind.AUTO,
                Map.of(),
                rig.resultBytesMax(),
                rig.budget(),
                rig.forms());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
