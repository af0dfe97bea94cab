package dev.caisson.webhooks;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Sends results where callers want them. What waits to be sent is in the store, so a restart loses
/// none; one may come twice, with the same id.
public final class Webhooks implements AutoCloseable {
    /// How many are being sent at the same time.
    static final int SENDING_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int GONE = 410;
    private static final int ID_BYTES = 16;

    private final Store store;
    private final Signer signer;
    private final WebhookSettings settings;
    private final Clock clock;
    private final Post post;
    private final SecureRandom random = new SecureRandom();
    private final Semaphore places = new Semaphore(SENDING_MAX);
    private final Semaphore news = new Semaphore(0);
    private final Thread postman = Thread.ofVirtual().name("webhooks").unstarted(this::work);

    /// @param secret the server's own
    public Webhooks(Store store, byte[] secret, WebhookSettings settings, Clock clock) {
        this.store = store;
        this.signer = new Signer(secret);
        this.settings = settings;
        this.clock = clock;
        this.post = new Post(settings.atMost());
    }

    /// Begins to send.
    public void start() {
        postman.start();
    }

    /// What a caller's receivers check signatures with.
    public String secret(String owner) {
        return signer.secret(owner);
    }

    /// @throws Refusal INVALID_ARGUMENT when results cannot be sent there
    public void check(String url) {
        var _ = Target.of(url).address(settings.privateHosts());
    }

    /// The result of this execution is to be sent, once it is there.
    public void expect(String executionId, String owner, String url) {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        var id = "msg_" + HexFormat.of().formatHex(bytes);
        store.write(handle -> LetterRows.insert(handle, id, executionId, owner, url));
    }

    /// It is there.
    ///
    /// @param type such as `execution.completed`
    public void ready(String executionId, String type, JsonNode data) {
        var now = clock.instant();
        var body = Json.object().put("type", type).put("timestamp", now.toString());
        body.set("data", data);
        store.write(handle -> LetterRows.ready(handle, executionId, Json.text(body), now));
        news.release();
    }

    /// An execution whose result is to be sent.
    public record Expected(String owner, String executionId) {}

    /// Those whose results are not there.
    public List<Expected> expected() {
        return store.read(LetterRows::waiting);
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

    private void sendDue() throws InterruptedException {
        try {
            for (var letter : due()) {
                places.acquire();
                Thread.ofVirtual().name(letter.id()).start(() -> sendOne(letter));
            }
        } catch (RuntimeException trouble) {
            LOG.warn("results wait, because the store does not answer", trouble);
        }
    }

    private List<Letter> due() {
        return store.read(handle -> LetterRows.due(handle, clock.instant(), SENDING_MAX)).stream()
                .filter(this::taken)
                .toList();
    }

    /// The next try is noted before this one is made: whatever happens to it, there will be one.
    private boolean taken(Letter letter) {
        var next = clock.instant().plus(settings.atMost()).plus(pause(letter));
        return store.write(handle -> LetterRows.take(handle, letter, next));
    }

    private Duration pause(Letter letter) {
        return last(letter) ? Duration.ZERO : settings.pauses().get(letter.attempts());
    }

    private boolean last(Letter letter) {
        return letter.attempts() >= settings.pauses().size();
    }

    private void sendOne(Letter letter) {
        try {
            var outcome = attempt(letter);
            if (outcome.over() || last(letter)) {
                LOG.info(
                        "{} after {} tries: {}",
                        letter.id(),
                        letter.attempts() + 1,
                        outcome.word());
                store.write(handle -> LetterRows.delete(handle, letter.id()));
            }
        } catch (RuntimeException trouble) {
            LOG.warn("{} is tried again", letter.id(), trouble);
        } finally {
            places.release();
        }
    }

    /// @param over whether no further try makes sense
    private record Outcome(boolean over, String word) {}

    private Outcome attempt(Letter letter) {
        try {
            var target = Target.of(letter.url());
            var body = letter.body().getBytes(StandardCharsets.UTF_8);
            var headers = signer.headers(letter.owner(), letter.id(), clock.instant(), body);
            var status = post.send(target, target.address(settings.privateHosts()), headers, body);
            return new Outcome(status / 100 == 2 || status == GONE, "status " + status);
        } catch (Refusal refusal) {
            return new Outcome(false, refusal.sentence());
        } catch (IOException failure) {
            return new Outcome(false, "no answer");
        }
    }

    @Override
    public void close() {
        postman.interrupt();
        try {
            if (postman.getState() != Thread.State.NEW) {
                postman.join(settings.atMost());
            }
            places.tryAcquire(SENDING_MAX, settings.atMost().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
