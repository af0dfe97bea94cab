package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A stop while everybody who could hold it up does so.
@Timeout(180)
@Tag("root")
class StuckStopTest {
    private static final int PATIENCE_SECONDS = 60;

    @Test
    void a_stop_with_everything_stuck_ends_within_thirty_seconds(@TempDir Path directory)
            throws Exception {
        try (var receiver = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                var product = new TestProduct(directory, "webhooks.private_hosts=127.0.0.1")) {
            // A receiver that takes a result and never answers.
            var url = "http://127.0.0.1:" + receiver.getLocalPort() + "/";
            product.send(
                    product.execute(bash("true").put("webhook_url", url))
                            .header("Prefer", "respond-async"));
            try (var delivery = receiver.accept()) {
                assertThat(delivery.getInputStream().read()).isPositive();
                // A run that heeds no signal, and one that nobody waits for.
                var deaf = bash("trap '' TERM INT HUP; while :; do sleep 1; done");
                var waiting =
                        CompletableFuture.supplyAsync(
                                () -> sent(product, deaf.deepCopy()),
                                work -> Thread.ofVirtual().start(work));
                product.send(product.execute(deaf).header("Prefer", "respond-async"));
                // A reader who takes nothing of a stream.
                var flood = bash("while :; do head -c 65536 /dev/zero | tr '\\0' x; echo; done");
                var stuck =
                        product.bytes(product.execute(flood).header("Accept", "text/event-stream"));
                assertThat(stuck.body().read()).isPositive();
                while (product.server.core.services.sandboxes.load().running() < 3) {
                    Thread.sleep(50);
                }

                var begun = System.nanoTime();
                product.server.close();

                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .isLessThan(Duration.ofSeconds(30));
                assertThat(waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotEmpty();
                stuck.body().close();
            }
        }
    }

    private static String sent(TestProduct product, ObjectNode program) {
        try {
            var answer = product.bytes(product.execute(program));
            return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8) + answer;
        } catch (Exception ended) {
            return ended.toString();
        }
    }
}
