package dev.caisson.session;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import dev.caisson.sandbox.Runner;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Table of sessions: which there are, who is in which, and how those ended that are gone.
/// Everything here is done at once; what takes time is done by whoever took a session, and nobody
/// else has it then.
final class SessionTable {
    /// Secrets a session may be told in its life; they are kept to be struck from its output.
    static final int SECRETS_MAX = 1_000;

    /// What a session is expected to hold between calls before it has rested once.
    static final long EXPECTED_BYTES = 48L << 20;

    private static final List<EvictionRule.Row> NOBODY = List.of();

    private static final String NO_ROOM_LEFT =
            "it uses more memory than is left for sessions between calls";

    private final SessionLimits limits;
    private final EvictionRule rule;
    private final Clock clock;
    private final Map<SessionKey, Session> sessions = new HashMap<>();

    /// Those that are not to be found any more and still being taken apart.
    private final Set<Session> departing = new HashSet<>();

    private final EndReasons reasons = new EndReasons();
    private boolean closed;

    SessionTable(SessionLimits limits, Clock clock) {
        this.limits = limits;
        this.rule = new EvictionRule(limits);
        this.clock = clock;
    }

    synchronized int size() {
        return sessions.size();
    }

    synchronized long heldBytes() {
        return sessions.entrySet().stream()
                .mapToLong(entry -> entry.getValue().row(entry.getKey()).bytes())
                .sum();
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
        session.take(clock.instant());
        return Optional.of(session);
    }

    /// A session that is not to be found any more, to be taken apart by whoever asked.
    record Departing(SessionKey key, Session session, String why) {}

    /// @param making way for it
    record Made(Session session, List<Departing> making) {}

    /// Makes a session, taken and still without an interpreter.
    ///
    /// @throws Refusal NO_CAPACITY when there is no room, and nothing that gives way
    synchronized Made make(SessionKey key, Runner runner) {
        if (closed) {
            throw new Refusal(Reason.NO_CAPACITY, "The server is stopping.");
        }
        var session = new Session(runner, clock.instant(), EXPECTED_BYTES);
        var going = rule.forNew(rows(key), session.row(key));
        if (going.isEmpty()) {
            throw SessionRefusals.noRoom(limits, own(key.callerId()));
        }
        var making = giveWay(going.get(), key);
        sessions.put(key, session);
        return new Made(session, making);
    }

    private List<EvictionRule.Row> rows(SessionKey except) {
        return sessions.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(except))
                .map(entry -> entry.getValue().row(entry.getKey()))
                .toList();
    }

    /// Nobody else finds them from now on.
    private List<Departing> giveWay(List<EvictionRule.Row> going, SessionKey to) {
        return going.stream().flatMap(row -> giveWay(row.key(), to).stream()).toList();
    }

    private Optional<Departing> giveWay(SessionKey key, SessionKey to) {
        var why =
                "it was ended at %s to make room for %s"
                        .formatted(
                                clock.instant().truncatedTo(ChronoUnit.SECONDS),
                                key.callerId().equals(to.callerId())
                                        ? "another of your sessions"
                                        : "another key");
        return evict(key, why).map(session -> new Departing(key, session, why));
    }

    /// The longest idle one of the same caller gives way.
    synchronized Optional<Departing> giveWayOwn(SessionKey to) {
        return rows(to).stream()
                .filter(row -> row.caller().equals(to.callerId()) && !row.busy())
                .min(Comparator.comparingLong(EvictionRule.Row::idleSince))
                .flatMap(row -> giveWay(row.key(), to));
    }

    /// What those of the same caller hold that are idle.
    synchronized long idleBytes(SessionKey except) {
        return rows(except).stream()
                .filter(row -> row.caller().equals(except.callerId()) && !row.busy())
                .mapToLong(EvictionRule.Row::bytes)
                .sum();
    }

    private List<SessionInfo> own(String callerId) {
        return infos(key -> key.callerId().equals(callerId));
    }

    /// Those in use last come first; without what they use.
    synchronized List<SessionInfo> infos(Predicate<SessionKey> wanted) {
        long now = System.nanoTime();
        return sessions.entrySet().stream()
                .filter(entry -> wanted.test(entry.getKey()))
                .map(entry -> entry.getValue().info(entry.getKey(), now))
                .sorted(
                        Comparator.comparing(SessionInfo::idle)
                                .thenComparing(SessionInfo::begun)
                                .thenComparing(SessionInfo::id))
                .toList();
    }

    synchronized Optional<Session> find(String id) {
        return sessions.values().stream().filter(each -> each.id().equals(id)).findFirst();
    }

    synchronized Optional<SessionKey> keyOf(String id) {
        return sessions.entrySet().stream()
                .filter(entry -> entry.getValue().id().equals(id))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// @throws Refusal INVALID_ARGUMENT when it was told too many
    synchronized void addSecrets(Session session, Set<String> secrets) {
        session.secrets().addAll(secrets);
        if (session.secrets().size() > SECRETS_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session can be told %d secrets at most. Begin a new one with %s."
                            .formatted(SECRETS_MAX, Remedy.RESET_SESSION.word()));
        }
    }

    /// @param ended why the session must be taken apart, by whoever gave it back
    /// @param making way for it
    record Rested(Optional<String> ended, List<Departing> making) {}

    /// Gives a session back. Others may have to make room for what it holds, or it may find none.
    ///
    /// @param death how its interpreter ended, if it did
    /// @param held by it until the next call
    synchronized Rested rest(SessionKey key, Session session, Optional<String> death, long held) {
        var end = session.markedEnd().or(() -> death);
        if (end.isPresent()) {
            return new Rested(end, List.of());
        }
        boolean grown = held > session.row(key).bytes();
        session.rest(System.nanoTime(), clock.instant(), held);
        var going = grown ? rule.forGrown(rows(key), session.row(key)) : Optional.of(NOBODY);
        if (going.isEmpty()) {
            session.take(clock.instant());
            return new Rested(Optional.of(NO_ROOM_LEFT), List.of());
        }
        return new Rested(Optional.empty(), giveWay(going.get(), key));
    }

    /// From now on a session is not to be found any more. [#departed] must follow.
    synchronized void depart(SessionKey key, Session session, String why) {
        if (sessions.remove(key, session)) {
            reasons.note(key, why);
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
        busy.ifPresent(session -> session.markEnded(why));
        found.ifPresent(session -> session.take(clock.instant()));
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

    synchronized void forgetReasons(Set<String> callers) {
        reasons.forget(callers);
    }

    /// How the last session of this name ended; told once.
    synchronized Optional<String> endReason(SessionKey key) {
        return reasons.tell(key);
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
