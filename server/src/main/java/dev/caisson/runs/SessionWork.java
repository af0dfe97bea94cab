package dev.caisson.runs;

import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.session.SessionCallResult;
import dev.caisson.session.SessionKey;
import dev.caisson.session.Sessions;
import dev.caisson.storage.Lease;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/// The session of a thread, whose lease the caller has. What the session was told in earlier calls
/// is as secret as what it is told now.
final class SessionWork implements Workplace {
    private final Sessions sessions;
    private final SessionKey key;
    private final RunRequest request;
    private final RunEnvironment env;
    private final Lease lease;
    private final Set<String> secrets;
    private final AtomicReference<Optional<SessionCallResult>> turn =
            new AtomicReference<>(Optional.empty());

    SessionWork(
            Sessions sessions,
            SessionKey key,
            RunRequest request,
            RunEnvironment env,
            Lease lease) {
        this.sessions = sessions;
        this.key = key;
        this.request = request;
        this.env = env;
        this.lease = lease;
        var all = new HashSet<>(env.secretValues());
        all.addAll(sessions.secrets(key));
        this.secrets = Set.copyOf(all);
    }

    @Override
    public Outcome run(Run run) throws InterruptedException {
        boolean afresh = request.session() == RunRequest.SessionUse.AFRESH;
        var step = new Sessions.Step(key, run, env.perCall(), env.secretValues(), afresh);
        var done = sessions.run(step, lease);
        turn.set(Optional.of(done));
        return done.outcome();
    }

    @Override
    public Set<String> secrets() {
        return secrets;
    }

    @Override
    public Optional<SessionCallResult> turn() {
        return turn.get();
    }
}
