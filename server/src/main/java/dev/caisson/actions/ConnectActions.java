package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.oauth.Authorizations.Agreed;
import dev.caisson.oauth.Authorizations.Begun;
import dev.caisson.oauth.Authorizations.Returned;
import dev.caisson.upstream.UpstreamAuthorizations;
import java.util.function.Function;

/// Connecting of upstreams by people: when it begins, and when the person comes back, which is
/// recorded in the name of the caller who began it.
public final class ConnectActions {
    private final Broker broker;
    private final UpstreamAuthorizations authorizations;

    public ConnectActions(Broker broker, UpstreamAuthorizations authorizations) {
        this.broker = broker;
        this.authorizations = authorizations;
    }

    /// @param server whether the token is this server's own
    public Begun begin(Call call, String id, boolean server) throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change(
                        "upstream_connect", Json.object().put("id", id).put("server", server)),
                noted -> authorizations.begin(id, noted.caller(), server));
    }

    /// @param calls the call of the caller who began it
    /// @return the id of the upstream
    public String finish(Returned returned, Function<Caller, Call> calls)
            throws InterruptedException {
        Agreed agreed = authorizations.returned(returned);
        return broker.act(
                calls.apply(agreed.by()),
                ActionRequest.change(
                        "upstream_connected", Json.object().put("id", agreed.upstream())),
                _ -> authorizations.finish(agreed));
    }
}
