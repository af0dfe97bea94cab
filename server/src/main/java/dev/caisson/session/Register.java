package dev.caisson.session;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Runner;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Which sessions there are, who is in which, and how those ended that are gone. Everything here is
/// done at once; what takes time is done by whoever took a session, and nobody else has it then.
final class Register {
    /// Secrets a session may be told in its life; they are kept to be struck from its output.
    static final int SECRETS_MAX = 1_000;

    private final SessionLimits limits;
    private final Map<SessionKey, Session> sessions = new HashMap<>();

    /// Those that are not to be found any more and still being taken apart.
    private final Set<Session> departing = new HashSet<>();

    private final Deaths deaths = new Deaths();
    private boolean closed;

    Register(SessionLimits limits) {
        this.limits = limits;
    }

    synchronized int size() {
        return sessions.size();
    }

    synchronized Set<String> secrets(SessionKey key) {
        var session = sessions.get(key);
        return session == null ? Set.of() : Set.copyOf(session.secrets());
    }

    synchronized List<SessionKey> keys(Predicate<SessionKey> wanted) {
        return sessions.keySet().stream().filter(wanted).toList();
    }

    synchronized List<SessionKey> idle(long now) {
        return sessions.entrySet().stream()
                .filter(entry -> entry.getValue().isIdleFor(limits.idle().toNanos(), now))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Takes a session that is there.
    ///
    /// @throws Refusal CONFLICT when somebody has it
    synchronized Optional<Session> take(SessionKey key) {
        var session = sessions.get(key);
        if (session == null) {
            return Optional.empty();
        }
        if (session.isBusy()) {
            throw new Refusal(
                    Reason.CONFLICT,
                    "The session is in use by another call. Try again when it has ended.",
                    Map.of("status", "conflict", "retryable", true));
        }
        session.take();
        return Optional.of(session);
    }

    /// Makes a session, taken and still without an interpreter.
    ///
    /// @throws Refusal NO_CAPACITY when there are too many
    synchronized Session make(SessionKey key, Runner runner) {
        var own = keys(each -> each.callerId().equals(key.callerId())).size();
        if (closed) {
            throw new Refusal(Reason.NO_CAPACITY, "The server is stopping.");
        }
        if (own >= limits.perCaller()) {
            throw tooMany("You have %d sessions, as many as one key may have.".formatted(own));
        }
        if (size() >= limits.total()) {
            throw tooMany("There are %d sessions, and no room for more.".formatted(size()));
        }
        if (own > 0 && !limits.part().allows(own + 1L, limits.total() - size() - 1L)) {
            throw tooMany(
                    "You have %d of the server's %d sessions, which is all of your share now."
                            .formatted(own, limits.total()));
        }
        var session = new Session(runner);
        sessions.put(key, session);
        return session;
    }

    /// The session that gives way when no more can be made: the longest idle of the caller that has
    /// most, if that is more than the asking caller would have. Where there is only one session, it
    /// goes to the next caller when it is idle.
    synchronized Optional<SessionKey> givesWayTo(SessionKey asking) {
        var counts = new HashMap<String, Integer>();
        sessions.keySet().forEach(key -> counts.merge(key.callerId(), 1, Integer::sum));
        int wanted = counts.getOrDefault(asking.callerId(), 0) + 1;
        if (size() < limits.total() || wanted > limits.perCaller()) {
            return Optional.empty();
        }
        return sessions.entrySet().stream()
                .filter(entry -> !entry.getValue().isBusy())
                .filter(entry ->
                        counts.getOrDefault(entry.getKey().callerId(), 0) > wanted
                                || isTheOnlyOneOfAnother(entry.getKey(), asking))
                .max(
                        Comparator.<Map.Entry<SessionKey, Session>>comparingInt(
                                        entry -> counts.getOrDefault(entry.getKey().callerId(), 0))
                                .thenComparing(
                                        entry -> entry.getValue().idleSince(),
                                        Comparator.<Long>reverseOrder()))
                .map(Map.Entry::getKey);
    }

    private boolean isTheOnlyOneOfAnother(SessionKey key, SessionKey asking) {
        return limits.total() == 1 && !key.callerId().equals(asking.callerId());
    }

    private Refusal tooMany(String sentence) {
        return new Refusal(
                Reason.NO_CAPACITY,
                sentence
                        + " End one with session_reset, run without session, or try again later: a"
                        + " session that is not used for "
                        + limits.idle().toSeconds()
                        + " s ends.",
                Map.of("status", "no_capacity", "retryable", true, "share", "sessions"));
    }

    /// @throws Refusal INVALID_ARGUMENT when it was told too many
    synchronized void confide(Session session, Set<String> secrets) {
        session.secrets().addAll(secrets);
        if (session.secrets().size() > SECRETS_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session can be told %d secrets at most. Begin a new one with session_reset."
                            .formatted(SECRETS_MAX));
        }
    }

    /// Gives a session back.
    ///
    /// @param death how its interpreter ended, if it did
    /// @return why it must be taken apart instead, by whoever asked
    synchronized Optional<String> rest(Session session, Optional<String> death) {
        var end = session.doom().or(() -> death);
        if (end.isEmpty()) {
            session.rest(System.nanoTime());
        }
        return end;
    }

    /// From now on a session is not to be found any more. [#departed] must follow.
    synchronized void depart(SessionKey key, Session session, String why) {
        if (sessions.remove(key, session)) {
            deaths.note(key, why);
        }
        departing.add(session);
    }

    /// As [#depart] for whoever does not have the session.
    ///
    /// @return the session, to be taken apart; empty when there is none, or when whoever has it
    ///   will
    synchronized Optional<Session> evict(SessionKey key, String why) {
        var found = Optional.ofNullable(sessions.get(key));
        found.ifPresent(session -> depart(key, session, why));
        var busy = found.filter(Session::isBusy);
        busy.ifPresent(session -> session.doom(why));
        found.ifPresent(Session::take);
        return busy.isPresent() ? Optional.empty() : found;
    }

    /// A session that never began leaves no trace.
    synchronized void forget(SessionKey key, Session session) {
        sessions.remove(key, session);
        departed(session);
    }

    synchronized void departed(Session session) {
        departing.remove(session);
        session.gone();
        notifyAll();
    }

    /// How the last session of this name ended; told once.
    synchronized Optional<String> obituary(SessionKey key) {
        return deaths.tell(key);
    }

    /// From now on no session is made.
    synchronized void close() {
        closed = true;
    }

    /// Waits until everything is taken apart, for a bounded time.
    synchronized void awaitDeparted(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toMillis();
                !departing.isEmpty() && left > 0;
                left = Duration.ofNanos(end - System.nanoTime()).toMillis()) {
            wait(left);
        }
    }
}
