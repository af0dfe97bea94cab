package dev.caisson.upstream;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.oauth.Authorizations.Agreed;
import dev.caisson.oauth.Authorizations.Begun;
import dev.caisson.oauth.Authorizations.Returned;
import dev.caisson.oauth.OAuthClients;
import dev.caisson.oauth.OAuthFailure;
import dev.caisson.oauth.OAuthTarget;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Connecting of upstreams by people who agree to it at their authorization servers.
public final class UpstreamAuthorizations {
    private final Upstreams upstreams;
    private final OAuthClients clients;
    private final UnaryOperator<String> vault;

    /// @param vault gives the value of a secret by its name, or refuses
    public UpstreamAuthorizations(
            Upstreams upstreams, OAuthClients clients, UnaryOperator<String> vault) {
        this.upstreams = upstreams;
        this.clients = clients;
        this.vault = vault;
    }

    /// Begins it for a caller.
    ///
    /// @param server whether the token is this server's own, also where each caller has one
    /// @throws Refusal NOT_FOUND when there is none; FORBIDDEN for a token that others use, too, to
    ///   all but operators; CONFLICT when nobody has to connect it; UPSTREAM when its authorization
    ///   server cannot be used
    public Begun begin(String id, Caller caller, boolean server) throws InterruptedException {
        var settings = upstreams.find(id).settings();
        var shared = server || settings.per() == UpstreamSettings.Sharing.SHARED;
        if (shared && !caller.may(Scope.ADMIN)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "All callers share the connection to "
                            + id
                            + ": only a key with the scope"
                            + " admin may connect it.",
                    Map.of(Refusal.SCOPES, List.of(Scope.ADMIN.word())));
        }
        var credentials = new CredentialValues(settings, vault);
        var target =
                OAuthEntries.target(settings, credentials::client)
                        .filter(one -> one.grant() == OAuthTarget.Grant.CODE)
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.CONFLICT,
                                        "Nobody has to connect "
                                                + id
                                                + ": its credentials are not of kind oauth.",
                                        Map.of(Refusal.RETRYABLE, false)));
        try {
            return clients.begin(target, shared ? OAuthClients.SHARED : caller.id(), caller);
        } catch (OAuthFailure failure) {
            throw new Refusal(
                    Reason.UPSTREAM,
                    credentials.sentence(
                            "The upstream " + id + " cannot be connected. " + failure.sentence()));
        }
    }

    /// Takes a person back, which changes nothing yet.
    ///
    /// @throws Refusal FORBIDDEN when it is not the one who left, or another server sends it
    public Agreed returned(Returned returned) {
        try {
            return clients.returned(returned);
        } catch (OAuthFailure failure) {
            throw new Refusal(Reason.FORBIDDEN, failure.sentence());
        }
    }

    /// Ends it: there are tokens from now on, and the tools are listed.
    ///
    /// @return the id of the upstream
    public String finish(Agreed agreed) throws InterruptedException {
        try {
            clients.finish(agreed);
        } catch (OAuthFailure failure) {
            throw new Refusal(Reason.UPSTREAM, failure.sentence());
        }
        upstreams.connected(agreed.upstream());
        return agreed.upstream();
    }
}
