package dev.caisson.webhooks;

import dev.caisson.call.Refusal;
import dev.caisson.share.HeldShare;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.WaitingShare;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// DNS resolver with a time limit. The system's own way to ask waits as long as it likes for a
/// server that does not answer, and cannot be interrupted: so it has a few threads to itself, which
/// callers take in turns, and nobody waits for it longer than a moment. A thread that is still
/// asking counts as its caller's until it is back.
final class Resolver implements AutoCloseable {
    static final int THREADS = 16;

    /// How long a caller waits for its turn, and then for the answer.
    static final Duration WAIT_MAX = Duration.ofSeconds(5);

    private static final int WAITING_MAX = 1_000;

    private final Lookup lookup;
    private final Duration waitMax;
    private final WaitingShare turns;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    THREADS, Thread.ofPlatform().daemon().name("names-", 0).factory());

    /// How addresses are asked for.
    @FunctionalInterface
    interface Lookup {
        InetAddress[] all(String host) throws UnknownHostException;
    }

    Resolver(ShareLimit part) {
        this(part, InetAddress::getAllByName, WAIT_MAX);
    }

    Resolver(ShareLimit part, Lookup lookup, Duration waitMax) {
        this.lookup = lookup;
        this.waitMax = waitMax;
        turns =
                new WaitingShare(
                        new Share("names", "threads that ask for addresses", THREADS, part),
                        WAITING_MAX,
                        waitMax);
    }

    /// @throws UnknownHostException when there is none, or no answer in time
    /// @throws Refusal NO_CAPACITY when the caller has its share of questions without an answer
    InetAddress[] addresses(String caller, String host)
            throws UnknownHostException, InterruptedException {
        var turn = turns.take(caller, 1);
        var answer = new CompletableFuture<InetAddress[]>();
        threads.execute(() -> ask(host, turn, answer));
        try {
            return answer.get(waitMax.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new UnknownHostException(host);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownHostException unknown) {
                throw unknown;
            }
            throw new IllegalStateException(failed);
        }
    }

    private void ask(String host, HeldShare turn, CompletableFuture<InetAddress[]> answer) {
        try (turn) {
            answer.complete(lookup.all(host));
        } catch (UnknownHostException | RuntimeException failed) {
            answer.completeExceptionally(failed);
        }
    }

    /// How many threads ask now.
    long asking() {
        return turns.inUse();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
