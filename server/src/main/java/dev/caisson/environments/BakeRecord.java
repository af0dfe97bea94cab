package dev.caisson.environments;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// Record of one bake, under way or over, for those who follow it.
public final class BakeRecord {
    /// How far it is.
    public enum State {
        RUNNING,
        DONE,
        FAILED
    }

    private final String id;
    private final String name;
    private final String hash;
    private final Set<String> hosts;
    private final Instant startedAt;
    private final BakeOutput output;
    private State state = State.RUNNING;
    private Optional<String> sentence = Optional.empty();

    BakeRecord(
            String id,
            String name,
            String hash,
            Set<String> hosts,
            Instant startedAt,
            BakeOutput output) {
        this.id = id;
        this.name = name;
        this.hash = hash;
        this.hosts = Set.copyOf(hosts);
        this.startedAt = startedAt;
        this.output = output;
    }

    public String id() {
        return id;
    }

    public String name() {
        return name;
    }

    public String hash() {
        return hash;
    }

    /// The hosts it may ask.
    public Set<String> hosts() {
        return hosts;
    }

    public Instant startedAt() {
        return startedAt;
    }

    public synchronized State state() {
        return state;
    }

    /// Why it failed.
    public synchronized Optional<String> sentence() {
        return sentence;
    }

    /// All it has said so far, passwords struck.
    public String output() {
        return output.text();
    }

    BakeOutput sink() {
        return output;
    }

    synchronized void done() {
        state = State.DONE;
        notifyAll();
    }

    synchronized void failed(String why) {
        state = State.FAILED;
        sentence = Optional.of(why);
        notifyAll();
    }

    /// Waits until it is over.
    public synchronized State await() throws InterruptedException {
        while (state == State.RUNNING) {
            wait();
        }
        return state;
    }
}
