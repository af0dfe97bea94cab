package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.caisson.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Caller with a key of its own that calls the upstream `steady` again and again while others are
/// called. Each of its calls is answered as if it were alone.
final class SteadyNeighbour implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /// Far more than a call takes on a busy machine.
    private static final Duration SLOWEST = Duration.ofSeconds(10);

    private static final int CALLS_MIN = 20;

    private final TestProduct product;
    private final String key;
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile Duration slowest = Duration.ZERO;

    SteadyNeighbour(TestProduct product) throws Exception {
        this.product = product;
        var wanted = Json.object().put("name", "neighbour");
        wanted.putArray("scopes").add("tools");
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        this.key = Json.parse(made.body()).get("secret").stringValue();
        this.thread = Thread.ofVirtual().start(this::repeat);
    }

    String key() {
        return key;
    }

    private void repeat() {
        try {
            do {
                var began = System.nanoTime();
                told.add(
                        UpstreamCaller.REST
                                .call(product, key, "steady", "forecast", Json.object())
                                .gist());
                var took = Duration.ofNanos(System.nanoTime() - began);
                slowest = took.compareTo(slowest) > 0 ? took : slowest;
            } while (!ended.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (Exception failed) {
            told.add(failed.toString());
        }
    }

    @Override
    public void close() {
        ended.countDown();
        assertThatCode(() -> thread.join()).doesNotThrowAnyException();
        assertThat(told).as("calls of a neighbour").hasSizeGreaterThan(CALLS_MIN);
        assertThat(told).allMatch(each -> each.startsWith("ok rain"));
        assertThat(slowest).as("the slowest call of a neighbour").isLessThan(SLOWEST);
    }
}
