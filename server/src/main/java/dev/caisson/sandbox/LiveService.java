package dev.caisson.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A service in its box. When its program has ended, or it was stopped, everything in the box is
/// killed and the box ended, once.
final class LiveService implements Service {
    /// What is kept of its errors.
    static final int ERROR_BYTES = 64 << 10;

    /// How long it may take to end by itself, and then after it was told.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(LiveService.class);

    private final String name;
    private final Instant since;
    private final Box box;
    private final Box.Lines lines;
    private final Runnable leave;
    private final Executor threads;
    private final InputStream out;
    private final RecentText errors = new RecentText(ERROR_BYTES);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

    /// @param leave ends the box and gives back what it took
    LiveService(
            String name,
            Instant since,
            Box box,
            Box.Lines lines,
            Runnable leave,
            Executor threads) {
        this.name = name;
        this.since = since;
        this.box = box;
        this.lines = lines;
        this.leave = leave;
        this.threads = threads;
        this.out = new PipeInput(lines.stdout());
        threads.execute(this::readErrors);
        threads.execute(this::awaitEnd);
    }

    private void awaitEnd() {
        try {
            while (!box.awaitEnd(LOOK)) {
                // It lives.
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            ended.complete(true);
            end();
        }
    }

    private void readErrors() {
        var buffer = new byte[8 << 10];
        try (var in = new PipeInput(lines.stderr())) {
            for (int count = in.read(buffer, 0, buffer.length);
                    count >= 0;
                    count = in.read(buffer, 0, buffer.length)) {
                errors.add(buffer, count);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public OutputStream in() {
        return lines.jobs();
    }

    @Override
    public InputStream out() {
        return out;
    }

    @Override
    public String recentErrors() {
        return errors.text();
    }

    @Override
    public boolean hasEnded() {
        return gone.isDone() || box.hasEnded();
    }

    @Override
    public OptionalLong memoryBytes() {
        return gone.isDone() ? OptionalLong.empty() : box.memoryBytes();
    }

    @Override
    public void stop() {
        if (!gone.isDone()) {
            threads.execute(this::stopNow);
        }
    }

    private void stopNow() {
        try {
            lines.jobs().close();
        } catch (IOException ended) {
            LOG.debug("the service {} had closed its input", name);
        }
        if (!awaitEnded()) {
            box.terminate();
            awaitEnded();
        }
        end();
    }

    private boolean awaitEnded() {
        try {
            return ended.get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException busy) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Once, by whoever comes first.
    private void end() {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        try {
            box.kill();
        } finally {
            try {
                leave.run();
            } finally {
                LOG.info("the service {} has ended", name);
                gone.complete(true);
            }
        }
    }

    @Override
    public void onGone(Runnable then) {
        var _ = gone.thenRun(then);
    }

    void awaitGone() throws InterruptedException {
        awaitGone(Duration.ofMinutes(1));
    }

    boolean awaitGone(Duration atMost) throws InterruptedException {
        try {
            return gone.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException late) {
            return false;
        }
    }
}
