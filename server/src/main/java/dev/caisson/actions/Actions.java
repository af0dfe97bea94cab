package dev.caisson.actions;

import dev.caisson.broker.Broker;
import dev.caisson.environments.Environments;
import dev.caisson.identity.Keys;
import dev.caisson.identity.Vault;
import dev.caisson.profiles.Profiles;
import dev.caisson.session.Sessions;
import dev.caisson.storage.FileService;
import dev.caisson.upstream.UpstreamAuthorizations;
import dev.caisson.upstream.Upstreams;

/// Actions that a door may take, by what they are about.
public record Actions(
        KeyActions keys,
        SecretActions secrets,
        UpstreamActions upstreams,
        ConnectActions connects,
        PolicyActions policy,
        ApprovalActions approvals,
        ProfileActions profiles,
        VolumeActions volumes,
        ThreadActions threads,
        FileActions files,
        EnvironmentActions environments,
        SessionActions sessions) {
    /// @param upstreamCommands whether upstreams may be programs that this server starts
    public static Actions of(
            Broker broker,
            Keys keys,
            Vault vault,
            Profiles profiles,
            FileService files,
            Environments environments,
            Sessions sessions,
            Upstreams upstreams,
            boolean upstreamCommands,
            UpstreamAuthorizations authorizations,
            PolicyActions policy,
            ApprovalActions approvals) {
        return new Actions(
                new KeyActions(broker, keys),
                new SecretActions(broker, vault),
                new UpstreamActions(broker, upstreams, upstreamCommands),
                new ConnectActions(broker, authorizations),
                policy,
                approvals,
                new ProfileActions(broker, profiles),
                new VolumeActions(broker, files),
                new ThreadActions(broker, files),
                new FileActions(broker, files, new LinkMakers(keys)),
                new EnvironmentActions(broker, environments),
                new SessionActions(broker, sessions));
    }
}
