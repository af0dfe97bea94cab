package dev.caisson.mcp.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Revocations;
import dev.caisson.mcp.McpLimits;
import dev.caisson.rpc.Revision;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EndedSessionTest {
    /// A client may end its session while another thread registers it.
    @Test
    void a_session_that_ended_before_it_was_registered_stays_registered_nowhere() throws Exception {
        var revocations = new Revocations();
        var told = new AtomicInteger();
        var session =
                new LegacySession(
                        "id",
                        "alice",
                        new ConnectedClient(Revision.R2025_11_25, Set.of()),
                        McpLimits.DEFAULT,
                        new ReplayBudget(1 << 20));

        session.end();
        session.registered(revocations.register("alice", told::incrementAndGet));

        var other = new CountDownLatch(1);
        revocations.register("alice", other::countDown);
        revocations.revoke(List.of("alice"));
        assertThat(other.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(told).hasValue(0);
    }
}
