package dev.caisson.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.ShareLimit;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ResolverTest {
    private static final InetAddress THERE = InetAddress.ofLiteral("192.0.2.1");

    private final CountDownLatch answer = new CountDownLatch(1);

    /// Names that begin with `slow` have a server that does not answer.
    @AutoClose
    private final Resolver resolver =
            new Resolver(ShareLimit.DEFAULT, this::lookup, Duration.ofMillis(200));

    private InetAddress[] lookup(String host) throws UnknownHostException {
        if (host.startsWith("slow")) {
            try {
                answer.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
        if (host.startsWith("nowhere")) {
            throw new UnknownHostException(host);
        }
        return new InetAddress[] {THERE};
    }

    @Test
    void a_name_has_the_address_the_system_says() throws Exception {
        assertThat(resolver.addresses("anna", "fast")).containsExactly(THERE);
        assertThatThrownBy(() -> resolver.addresses("anna", "nowhere"))
                .isInstanceOf(UnknownHostException.class);
    }

    @Test
    void a_server_that_does_not_answer_is_given_up() {
        assertThatThrownBy(() -> resolver.addresses("anna", "slow"))
                .isInstanceOf(UnknownHostException.class);
        assertThat(resolver.asking()).isEqualTo(1);
        answer.countDown();
        await().until(() -> resolver.asking() == 0);
    }

    @Test
    void one_caller_whose_names_hang_leaves_threads_to_others() throws Exception {
        var share = ShareLimit.DEFAULT.of(Resolver.THREADS);
        for (var i = 0; i < share; i++) {
            var host = "slow" + i;
            assertThatThrownBy(() -> resolver.addresses("anna", host))
                    .isInstanceOf(UnknownHostException.class);
        }
        assertThatThrownBy(() -> resolver.addresses("anna", "fast"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal.details()).containsEntry("share", "names");
                        });
        assertThat(resolver.addresses("bert", "fast")).containsExactly(THERE);
        answer.countDown();
    }
}
