package dev.caisson.webhooks;

import dev.caisson.call.BoundedClose;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.share.Budget;
import dev.caisson.share.FairQueue;
import dev.caisson.share.HeldShare;
import dev.caisson.share.Share;
import dev.caisson.store.Store;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Webhook sender: delivers results to the addresses that callers named. What waits to be sent is
/// in the store, so a restart loses none; one may come twice, with the same id.
public final class Webhooks implements BoundedClose {
    /// How long an address may be.
    public static final int URL_LENGTH_MAX = WebhookUrl.LENGTH_MAX;

    /// How many are being sent at the same time.
    static final int SENDING_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int GONE = 410;

    /// When to look again at a result that could not be tried.
    private static final Duration BUSY_PAUSE = Duration.ofSeconds(1);

    private static final int ID_BYTES = 16;

    private final Store store;
    private final Signer signer;
    private final WebhookSettings settings;
    private final Clock clock;
    private final PinnedHttp post;
    private final Resolver resolver;
    private final SecureRandom random = new SecureRandom();
    private final Set<String> dropped = ConcurrentHashMap.newKeySet();
    private final OpenSockets underWay = new OpenSockets();
    private final Share sending;
    private final Budget kept;
    private final Semaphore news = new Semaphore(0);
    private final Thread sender = Thread.ofVirtual().name("webhooks").unstarted(this::work);

    /// @param secret the server's own
    public Webhooks(Store store, byte[] secret, WebhookSettings settings, Clock clock) {
        this(store, secret, settings, clock, new Resolver(settings.part()));
    }

    Webhooks(Store store, byte[] secret, WebhookSettings settings, Clock clock, Resolver resolver) {
        this.store = store;
        this.signer = new Signer(secret);
        this.settings = settings;
        this.clock = clock;
        this.post = new PinnedHttp(settings.atMost());
        this.sending = new Share("webhooks", "results being sent", SENDING_MAX, settings.part());
        this.kept = new Budget(settings.bytesMax(), new UnsentResults(store));
        this.resolver = resolver;
    }

    /// Begins to send.
    public void start() {
        sender.start();
    }

    /// What a caller's receivers check signatures with.
    public String secret(String owner) {
        return signer.secret(owner);
    }

    /// @throws Refusal INVALID_ARGUMENT when results cannot be sent there; NO_CAPACITY when too
    ///   many of this caller wait to be sent
    public void check(String owner, String url) throws InterruptedException {
        var _ = WebhookUrl.of(url).address(resolver, owner, settings.privateHosts());
        var waiting = store.read(handle -> DeliveryRows.count(handle, owner));
        if (waiting >= settings.undeliveredMax()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "%d webhooks of this key are waiting, which is the maximum (webhooks.undelivered_max). Make its receivers answer, or leave out webhook_url."
                            .formatted(waiting),
                    Map.of(
                            "share",
                            sending.name(),
                            "retry_after_seconds",
                            settings.atMost().toSeconds()));
        }
    }

    /// The result of this execution is to be sent, once it is there.
    public void expect(String executionId, String owner, String url) {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        var id = "msg_" + HexFormat.of().formatHex(bytes);
        if (!dropped.contains(owner)) {
            var expected = new Expected(owner, executionId);
            store.write(handle -> DeliveryRows.insert(handle, id, expected, url, store.server()));
        }
    }

    /// It is there.
    ///
    /// @param type such as `execution.completed`
    public void ready(String executionId, String type, JsonNode data) {
        var now = clock.instant();
        var body = Json.object().put("type", type).put("timestamp", now.toString());
        body.set("data", data);
        var text = Json.text(body);
        if (store.write(handle -> DeliveryRows.ready(handle, executionId, text, now)) > 0) {
            kept.added(text.length());
        }
        news.release();
    }

    /// An execution whose result is to be sent.
    public record Expected(String owner, String executionId) {}

    /// Those whose results are not there, and whose server is gone.
    public List<Expected> abandoned() {
        return store.read(DeliveryRows::abandoned);
    }

    /// Nothing is sent for these callers any more; what is being sent is cut off. Rows the store
    /// does not remove now are removed when they are due.
    public void drop(Set<String> owners) {
        dropped.addAll(owners);
        underWay.end(owners);
        try {
            var count = store.write(handle -> DeliveryRows.deleteOf(handle, owners));
            if (count > 0) {
                LOG.info("{} webhooks were dropped: their keys were revoked", count);
            }
        } catch (RuntimeException trouble) {
            LOG.warn("webhooks of revoked keys will be removed later", trouble);
        }
    }

    private void work() {
        try {
            while (true) {
                news.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                news.drainPermits();
                sendDue();
            }
        } catch (InterruptedException _) {
            LOG.debug("no more results are sent");
        }
    }

    /// Callers take turns, whoever has fewest under way first, and none has all places: a receiver
    /// that does not answer holds up only its own caller's results.
    private void sendDue() {
        try {
            var waiting = new FairQueue<DeliveryRows.Due>();
            var now = clock.instant();
            store.read(handle -> DeliveryRows.due(handle, now, SENDING_MAX)).stream()
                    .sorted(Comparator.comparingLong(due -> sending.held(due.owner())))
                    .forEach(due -> waiting.add(due.owner(), due));
            for (var next = next(waiting); next.isPresent(); next = next(waiting)) {
                send(next.get().item());
            }
        } catch (RuntimeException trouble) {
            LOG.warn("webhooks wait: the store does not answer", trouble);
        }
    }

    private Optional<FairQueue.Next<DeliveryRows.Due>> next(FairQueue<DeliveryRows.Due> waiting) {
        return waiting.takeNext((owner, _) -> sending.mayTake(owner, 1));
    }

    private void send(DeliveryRows.Due due) {
        var place = sending.take(due.owner(), 1);
        try {
            var letter = taken(due);
            letter.ifPresentOrElse(
                    one -> Thread.ofVirtual().name(one.id()).start(() -> sendOne(one, place)),
                    place::close);
        } catch (RuntimeException trouble) {
            place.close();
            throw trouble;
        }
    }

    /// The next try is noted before this one is made: whatever happens to it, there will be one.
    private Optional<Delivery> taken(DeliveryRows.Due due) {
        var next = clock.instant().plus(settings.atMost()).plus(pause(due.attempts()));
        return store.write(handle -> DeliveryRows.take(handle, due, next));
    }

    private Duration pause(int attempts) {
        return last(attempts) ? Duration.ZERO : settings.pauses().get(attempts);
    }

    private boolean last(int attempts) {
        return attempts >= settings.pauses().size();
    }

    private void sendOne(Delivery letter, HeldShare place) {
        try {
            var outcome = attempt(letter);
            switch (outcome.next()) {
                case NO_TRY -> putBack(letter);
                case TRY_AGAIN -> {
                    if (last(letter.attempts())) {
                        remove(letter, outcome);
                    }
                }
                case OVER -> remove(letter, outcome);
            }
        } catch (RuntimeException trouble) {
            LOG.warn("webhook {} will be retried", letter.id(), trouble);
        } finally {
            place.close();
            news.release();
        }
    }

    private void remove(Delivery letter, Outcome outcome) {
        LOG.info(
                "webhook {} after {} attempts: {}",
                letter.id(),
                letter.attempts() + 1,
                outcome.word());
        store.write(handle -> DeliveryRows.delete(handle, letter.id()));
    }

    private void putBack(Delivery letter) {
        var due = clock.instant().plus(BUSY_PAUSE);
        store.write(handle -> DeliveryRows.putBack(handle, letter, due));
    }

    /// Shortens what waits when it takes too much room.
    ///
    /// @return how many results
    public int sweep() {
        return kept.sweep();
    }

    private enum Next {
        /// It was delivered, or never will be.
        OVER,
        TRY_AGAIN,

        /// This server could not try, which is not the receiver's fault.
        NO_TRY
    }

    private record Outcome(Next next, String word) {}

    private Outcome attempt(Delivery letter) {
        var outcome =
                dropped.contains(letter.owner())
                        ? new Outcome(Next.OVER, "not sent")
                        : attemptOnce(letter);
        return dropped.contains(letter.owner())
                ? new Outcome(Next.OVER, outcome.word() + ", and its key was revoked")
                : outcome;
    }

    private Outcome attemptOnce(Delivery letter) {
        try (var socket = new Socket()) {
            var target = WebhookUrl.of(letter.url());
            var body = letter.body().getBytes(StandardCharsets.UTF_8);
            var headers = signer.headers(letter.owner(), letter.id(), clock.instant(), body);
            var address = target.address(resolver, letter.owner(), settings.privateHosts());
            try (var _ = underWay.add(letter.owner(), socket)) {
                if (dropped.contains(letter.owner())) {
                    return new Outcome(Next.OVER, "not sent");
                }
                var status = post.send(socket, target, address, headers, body);
                var over = status / 100 == 2 || status == GONE;
                return new Outcome(over ? Next.OVER : Next.TRY_AGAIN, "status " + status);
            }
        } catch (Refusal refusal) {
            var busy = refusal.reason() == Reason.NO_CAPACITY;
            return new Outcome(busy ? Next.NO_TRY : Next.TRY_AGAIN, refusal.sentence());
        } catch (IOException | InterruptedException failure) {
            return new Outcome(Next.TRY_AGAIN, "no answer");
        }
    }

    /// What was not answered in time is sent again after the next start.
    @Override
    public void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        sender.interrupt();
        try {
            if (sender.getState() != Thread.State.NEW) {
                sender.join(atMost);
            }
            awaitSent(end);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            resolver.close();
        }
    }

    private void awaitSent(long end) throws InterruptedException {
        while (sending.free() < sending.total() && System.nanoTime() - end < 0) {
            news.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }
}
