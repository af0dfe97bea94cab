package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.session.SessionInfo;
import dev.caisson.session.Sessions;
import java.util.List;
import java.util.Optional;

/// Ending of sessions, by their owner or by an operator.
public final class SessionActions {
    private final Broker broker;
    private final Sessions sessions;

    SessionActions(Broker broker, Sessions sessions) {
        this.broker = broker;
        this.sessions = sessions;
    }

    /// @param owner only those of this caller
    public List<SessionInfo> list(Optional<String> owner) {
        return sessions.list(owner);
    }

    /// Ends a session with everything that runs in it.
    ///
    /// @param owner whose it must be
    /// @throws Refusal NOT_FOUND when there is none, or it is somebody else's
    public void end(Call call, Optional<String> owner, String id) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("session_end", Json.object().put("id", id)),
                _ ->
                        sessions.end(owner, id)
                                .orElseThrow(() ->
                                        new Refusal(
                                                Reason.NOT_FOUND,
                                                "There is no session " + id + ".")));
    }
}
