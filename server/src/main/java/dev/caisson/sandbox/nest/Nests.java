package dev.caisson.sandbox.nest;

import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.Resting;
import dev.caisson.sandbox.TooLittleMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Nests of all callers, one for each caller and interpreter, founded when it is first asked for.
///
/// A nest is replaced when it has made many sandboxes or is old, so that what its forks share (the
/// layout of memory, the seed of hashes) does not last. One in which nothing has run for a while is
/// closed, and so is every one of a caller who is gone. A shape of sandbox that could not be made
/// three times in a row is left to others for two minutes.
final class Nests {
    private static final Logger LOG = LoggerFactory.getLogger(Nests.class);

    /// When a nest has served its time.
    ///
    /// @param made sandboxes
    /// @param age since it was founded
    /// @param idle without a program
    record Life(int made, Duration age, Duration idle) {
        static final Life USUAL = new Life(1_000, Duration.ofMinutes(10), Duration.ofMinutes(2));
    }

    static final int FAILURES_MAX = 3;
    static final Duration RESPITE = Duration.ofMinutes(2);

    /// More callers than this at once are served by others.
    static final int NESTS_MAX = 64;

    /// How many interpreters' failures are remembered.
    private static final int TROUBLES_MAX = 1_000;

    /// @param forks whether its sandboxes are to be forked
    private record Key(String owner, Boot boot, boolean forks) {}

    /// How often a sandbox could not be made, and until when none is tried.
    private record Trouble(int failures, long since) {
        boolean rests() {
            return failures >= FAILURES_MAX && System.nanoTime() - since < RESPITE.toNanos();
        }
    }

    /// A nest that may still be in the making, which its first user does under this lock.
    private static final class Place {
        private volatile Optional<Nest> nest = Optional.empty();
    }

    private final NestTools tools;
    private final Life life;
    private final Map<Key, Place> places = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Key, Trouble> troubles = new LinkedHashMap<>();
    private final List<Nest> all = new ArrayList<>();
    private volatile Optional<String> unforked = Optional.empty();
    private boolean closed;

    Nests(NestTools tools, Life life) {
        this.tools = tools;
        this.life = life;
    }

    /// Whether this is a time to ask for such a sandbox.
    synchronized boolean isReadyFor(String owner, Blueprint blueprint) {
        var key = key(owner, blueprint);
        var trouble = Optional.ofNullable(troubles.get(key));
        return !closed
                && trouble.filter(Trouble::rests).isEmpty()
                && (places.containsKey(key) || places.size() < tools.nests());
    }

    private Key key(String owner, Blueprint blueprint) {
        var boot = blueprint.boot();
        return new Key(owner, boot, tools.forks() && boot.canFork(blueprint.limits()));
    }

    /// Why an interpreter that could be forked is not, if there is one.
    Optional<String> unforked() {
        return unforked;
    }

    /// @throws IOException when there is none, with the reason
    NestBox make(String owner, Blueprint blueprint) throws IOException, TooLittleMemory {
        var key = key(owner, blueprint);
        boolean made = false;
        try {
            var box = nest(key).make(blueprint);
            made = true;
            return box;
        } catch (TooLittleMemory small) {
            made = true;
            throw small;
        } finally {
            note(key, made);
        }
    }

    private Nest nest(Key key) throws IOException {
        var place = place(key);
        synchronized (place) {
            var spent = place.nest.filter(this::isSpent);
            if (spent.isPresent()) {
                place.nest = Optional.empty();
                drop(spent.get());
            }
            if (place.nest.isEmpty()) {
                long begun = System.nanoTime();
                var founded = NestFounding.found(tools, key.boot(), key.forks());
                LOG.debug("a nest was founded in {} ms", (System.nanoTime() - begun) / 1_000_000);
                place.nest = Optional.of(founded);
                remember(founded);
                if (key.forks() && !founded.forks()) {
                    unforked =
                            Optional.of(
                                    "%s has several threads before any program and is not forked"
                                            .formatted(key.boot().command().getFirst()));
                }
            }
            return place.nest.get();
        }
    }

    private boolean isSpent(Nest nest) {
        return !nest.isAlive() || nest.made() >= life.made() || isOld(nest);
    }

    private boolean isOld(Nest nest) {
        return nest.age().compareTo(life.age()) >= 0;
    }

    /// One that does not answer is killed: nobody knows what its forks do.
    private void drop(Nest nest) {
        if (!nest.isAlive()) {
            nest.kill();
        } else if (isOld(nest)) {
            nest.expire();
        } else {
            nest.retire();
        }
    }

    private synchronized Place place(Key key) throws NotMade {
        if (closed) {
            throw new NotMade("no more sandboxes are made");
        }
        return places.computeIfAbsent(key, _ -> new Place());
    }

    private synchronized void remember(Nest nest) {
        all.removeIf(Nest::isClosed);
        all.add(nest);
        if (closed) {
            nest.kill();
        }
    }

    private synchronized void note(Key key, boolean made) {
        if (!made && Optional.ofNullable(places.get(key)).flatMap(each -> each.nest).isEmpty()) {
            places.remove(key);
        }
        if (made) {
            troubles.remove(key);
            return;
        }
        int failures = Optional.ofNullable(troubles.get(key)).map(Trouble::failures).orElse(0);
        troubles.put(key, new Trouble(failures % FAILURES_MAX + 1, System.nanoTime()));
        if (troubles.size() > TROUBLES_MAX) {
            troubles.remove(troubles.keySet().iterator().next());
        }
    }

    /// Closes what nobody uses, and has what is old replaced. Called from time to time.
    void tidy() {
        close((_, nest) -> !nest.isAlive() || nest.isIdleFor(life.idle()), Nest::kill);
        close((_, nest) -> isOld(nest), Nest::expire);
        open().stream().filter(this::isOld).forEach(Nest::expire);
    }

    private synchronized List<Nest> open() {
        all.removeIf(Nest::isClosed);
        return List.copyOf(all);
    }

    /// Every nest is replaced: those there are end with the sandboxes they have made.
    void renew() {
        close((_, _) -> true, Nest::retire);
    }

    /// Ends everything of a caller.
    void forget(String owner) {
        close((key, _) -> key.owner().equals(owner), Nest::kill);
    }

    private interface Choice {
        boolean closes(Key key, Nest nest);
    }

    private void close(Choice choice, Consumer<Nest> end) {
        var chosen = new ArrayList<Nest>();
        synchronized (this) {
            Predicate<Map.Entry<Key, Place>> closes =
                    each ->
                            each.getValue()
                                    .nest
                                    .filter(nest -> choice.closes(each.getKey(), nest))
                                    .isPresent();
            places.entrySet().stream()
                    .filter(closes)
                    .flatMap(each -> each.getValue().nest.stream())
                    .forEach(chosen::add);
            places.entrySet()
                    .removeIf(each -> each.getValue().nest.filter(chosen::contains).isPresent());
        }
        chosen.forEach(end);
    }

    int count() {
        return open().size();
    }

    /// How many users nests have leased beyond one for each sandbox.
    synchronized int spareUsers() {
        return all.stream()
                .filter(nest -> !nest.isClosed())
                .mapToInt(nest -> nest.founded().users().spare())
                .sum();
    }

    /// What waits in nests for their next sandboxes.
    synchronized Resting resting() {
        var open = all.stream().filter(nest -> !nest.isClosed()).toList();
        return new Resting(
                open.stream()
                        .flatMap(nest -> nest.founded().users().kept().stream())
                        .map(place -> place.slot().number())
                        .collect(Collectors.toSet()),
                open.stream()
                        .flatMap(nest -> nest.spareGroups().stream())
                        .collect(Collectors.toSet()));
    }

    /// Kills everything in every nest. No more is made.
    void killAll() {
        List<Nest> rest;
        synchronized (this) {
            closed = true;
            rest = List.copyOf(all);
            places.clear();
        }
        rest.forEach(Nest::kill);
    }
}
