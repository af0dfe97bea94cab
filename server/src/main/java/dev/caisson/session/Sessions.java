package dev.caisson.session;

import dev.caisson.call.BoundedClose;
import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Resident;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Run;
import dev.caisson.storage.Lease;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Service that keeps sessions. One belongs to a caller and a thread; it ends when it is reset, was
/// not used for a while, or its interpreter dies, and the next call in its place is told why.
///
/// A call in a session has the thread's lease, so there is one at a time. Between calls the lease
/// is free: other runs of the thread share its files meanwhile.
public final class Sessions implements BoundedClose {
    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    private static final Duration LOOK_MIN = Duration.ofMillis(20);
    private static final Duration LOOK_MAX = Duration.ofSeconds(5);

    private final Residents residents;
    private final SessionLimits limits;
    private final SessionTable table;
    private final Revocations revocations;
    private final Thread attendant;

    public Sessions(Residents residents, SessionLimits limits, Revocations revocations) {
        this(residents, limits, revocations, Clock.systemUTC());
    }

    /// @param revocations end the sessions of their callers
    public Sessions(
            Residents residents, SessionLimits limits, Revocations revocations, Clock clock) {
        this.residents = residents;
        this.limits = limits;
        this.revocations = revocations;
        this.table = new SessionTable(limits, clock);
        revocations.listen(table::forgetReasons);
        this.attendant = Thread.ofVirtual().name("sessions").start(this::attend);
    }

    public SessionLimits limits() {
        return limits;
    }

    /// How many are alive.
    public int active() {
        return table.size();
    }

    /// Memory that they hold between calls; that of one in use as it was before.
    public long heldBytes() {
        return table.heldBytes();
    }

    /// Those alive, with what they use.
    ///
    /// @param owner only those of this caller
    public List<SessionInfo> list(Optional<String> owner) {
        return table.infos(key -> owner.stream().allMatch(key.callerId()::equals)).stream()
                .map(info -> info.using(table.find(info.id()).flatMap(Session::memoryBytes)))
                .toList();
    }

    /// What a session was told in confidence; nothing when there is none.
    public Set<String> secrets(SessionKey key) {
        return table.secrets(key);
    }

    /// What to do in a session.
    ///
    /// @param run with the environment a new interpreter starts with
    /// @param env what is set in one that is there
    /// @param secrets never leave the server, from now on to the end of the session
    /// @param afresh whether to end the session first
    public record Step(
            SessionKey key, Run run, Map<String, String> env, Set<String> secrets, boolean afresh) {
        public Step {
            env = Map.copyOf(env);
            secrets = Set.copyOf(secrets);
        }
    }

    /// Runs a program in its session, which is made when there is none.
    ///
    /// @param lease of the thread
    /// @throws Refusal NO_CAPACITY when there are too many sessions, or no place for a run
    /// @throws InterruptedException when interrupted while nothing had been started
    public SessionCallResult run(Step step, Lease lease) throws InterruptedException {
        var key = step.key();
        if (step.afresh()) {
            end(key, "it was reset");
        }
        var kept = kept(step);
        if (kept.isPresent()) {
            var resident = kept.get().resident();
            yieldOwn(key, resident::isShortByOwn);
            var run = step.run().with(step.env());
            return turn(step, kept.get(), run, SessionCallResult.State.KEPT, Optional.empty());
        }
        var made = table.make(key, step.run().runner());
        var session = made.session();
        made.making().forEach(this::takeApart);
        yieldOwn(key, resting -> residents.isShortByOwn(step.run(), resting));
        revocations.register(
                key.callerId(), () -> endQuietly(key, Revocations.WHY), session::onGone);
        var failure = settle(step, lease, session);
        var why = table.endReason(key);
        var state =
                why.isPresent() ? SessionCallResult.State.RESTARTED : SessionCallResult.State.NEW;
        return failure.isPresent()
                ? new SessionCallResult(failure.get(), state, why, failure.map(EndReasons::words))
                : turn(step, session, step.run(), state, why);
    }

    /// A caller's idle sessions give way, one after another, while they keep from it the memory its
    /// next program needs.
    private void yieldOwn(SessionKey key, LongPredicate isShort) {
        while (isShort.test(table.idleBytes(key))) {
            var going = table.giveWayOwn(key);
            if (going.isEmpty()) {
                return;
            }
            takeApart(going.get());
        }
    }

    /// The session as it is, when its interpreter lives and is still the right one.
    private Optional<Session> kept(Step step) {
        var taken = table.take(step.key());
        if (taken.isEmpty()) {
            return taken;
        }
        var session = taken.get();
        var end = session.resident().ended().map(EndReasons::words);
        if (end.isEmpty() && !session.runner().equals(step.run().runner())) {
            end = Optional.of("the runner of its language was replaced");
        }
        end.ifPresent(why -> takeApart(step.key(), session, why));
        return end.isEmpty() ? taken : Optional.empty();
    }

    /// The workspace is opened when the interpreter has a place, and kept open from then on.
    ///
    /// @return why there is no interpreter
    private Optional<Outcome> settle(Step step, Lease lease, Session session)
            throws InterruptedException {
        boolean settled = false;
        try {
            return switch (residents.settle(step.run())) {
                case Residents.Settling.Settled(var resident) -> {
                    session.settle(resident, keep(lease, resident));
                    settled = true;
                    yield Optional.empty();
                }
                case Residents.Settling.Failed(var outcome) -> Optional.of(outcome);
            };
        } finally {
            if (!settled) {
                table.forget(step.key(), session);
            }
        }
    }

    private static Lease.Keep keep(Lease lease, Resident resident) {
        boolean kept = false;
        try {
            var workspace = lease.keep();
            kept = true;
            return workspace;
        } finally {
            if (!kept) {
                resident.close();
            }
        }
    }

    private SessionCallResult turn(
            Step step,
            Session session,
            Run run,
            SessionCallResult.State state,
            Optional<String> why)
            throws InterruptedException {
        boolean answered = false;
        try {
            table.addSecrets(session, step.secrets());
            var outcome = session.resident().run(run);
            answered = true;
            return new SessionCallResult(outcome, state, why, rest(step.key(), session));
        } finally {
            if (!answered) {
                rest(step.key(), session);
            }
        }
    }

    /// A call has ended.
    ///
    /// @return why the session has, too
    private Optional<String> rest(SessionKey key, Session session) {
        var resident = session.resident();
        var death = resident.ended().map(EndReasons::words);
        long held = death.isEmpty() ? resident.rest() : 0;
        var rested = table.rest(key, session, death, held);
        rested.ended().ifPresent(why -> takeApart(key, session, why));
        rested.making().forEach(this::takeApart);
        return rested.ended();
    }

    /// What gave way is somebody else's: that it cannot be removed is not told to the caller.
    private void takeApart(SessionTable.Departing going) {
        try {
            takeApart(going.key(), going.session(), going.why());
        } catch (RuntimeException failed) {
            LOG.error("a session could not be removed", failed);
        }
    }

    /// For whoever has the session.
    private void takeApart(SessionKey key, Session session, String why) {
        table.depart(key, session, why);
        try {
            session.close();
        } finally {
            table.departed(session);
        }
    }

    /// Ends a session, if there is one, and what runs in it.
    private void end(SessionKey key, String why) {
        table.evict(key, why).ifPresent(session -> takeApart(key, session, why));
    }

    /// Ends the sessions of a caller's thread.
    ///
    /// @param language only this one
    /// @return the languages they were for
    public List<Language> reset(Caller caller, String threadId, Optional<Language> language) {
        var keys =
                table.keys(key ->
                        key.isOf(caller, threadId)
                                && language.stream().allMatch(key.language()::equals));
        keys.forEach(key -> end(key, "it was reset"));
        return keys.stream().map(SessionKey::language).sorted().toList();
    }

    /// Ends a session, also one in which a program runs.
    ///
    /// @param owner whose it must be
    /// @return which it was; empty when there is none
    public Optional<SessionKey> end(Optional<String> owner, String id) {
        var key =
                table.keyOf(id).filter(found -> owner.stream().allMatch(found.callerId()::equals));
        key.ifPresent(found -> end(found, "it was reset"));
        return key;
    }

    /// Ends what nobody uses.
    private void attend() {
        var tenth = limits.idle().dividedBy(10);
        var look = tenth.compareTo(LOOK_MIN) < 0 ? LOOK_MIN : tenth;
        var why = "it was not used for %d s".formatted(limits.idle().toSeconds());
        try {
            while (true) {
                Thread.sleep(look.compareTo(LOOK_MAX) > 0 ? LOOK_MAX : look);
                table.idle(System.nanoTime()).forEach(key -> endQuietly(key, why));
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void endQuietly(SessionKey key, String why) {
        try {
            end(key, why);
        } catch (RuntimeException failed) {
            LOG.error("a session could not be removed", failed);
        }
    }

    /// Ends them all, and waits for whoever is in one to have the answer.
    @Override
    public void close(Duration atMost) {
        attendant.interrupt();
        table.close();
        table.keys(_ -> true).forEach(key -> endQuietly(key, "the server stopped"));
        try {
            table.awaitDeparted(atMost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
