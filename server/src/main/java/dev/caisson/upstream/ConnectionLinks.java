package dev.caisson.upstream;

import dev.caisson.call.Deadline;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.oauth.OAuthClients;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.Connector;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.HttpConnector;
import dev.caisson.upstream.connection.LinkState;
import dev.caisson.upstream.connection.ReadBudget;
import dev.caisson.upstream.connection.RequestCredentials;
import dev.caisson.upstream.connection.ServerLink;
import dev.caisson.upstream.connection.StdioProcess;
import dev.caisson.upstream.connection.UpstreamFailure;
import dev.caisson.upstream.connection.UpstreamResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Maker of links that speak the protocol: over HTTP, or with a process. The credentials come from
/// the vault for each connection.
public final class ConnectionLinks implements UpstreamLink.Maker {
    private final OutgoingHttp http;
    private final Processes processes;
    private final ReadBudget budget;
    private final Optional<OAuthClients> tokens;

    /// Check before a call that there is what its connection needs.
    @FunctionalInterface
    private interface Admission {
        void require() throws UpstreamFailure, InterruptedException;
    }

    /// Place of a process, which has files of its own.
    ///
    /// @param caller whose alone it is
    public record Place(String upstream, Optional<String> caller) {}

    /// Starter of the processes of upstreams.
    @FunctionalInterface
    public interface Processes {
        /// @param env its whole environment, with the values of secrets
        StdioProcess start(Place place, Peer.Command command, Map<String, String> env)
                throws UpstreamFailure, InterruptedException;
    }

    /// Without upstreams that are reached with tokens.
    public ConnectionLinks(OutgoingHttp http, Processes processes, long memoryBytes) {
        this(http, processes, memoryBytes, Optional.empty());
    }

    /// @param memoryBytes for the answers that are being read, of all upstreams
    /// @param tokens of upstreams that are reached with them
    public ConnectionLinks(
            OutgoingHttp http,
            Processes processes,
            long memoryBytes,
            Optional<OAuthClients> tokens) {
        this.tokens = tokens;
        this.http = http;
        this.processes = processes;
        this.budget = new ReadBudget(memoryBytes);
    }

    @Override
    public UpstreamLink open(
            UpstreamSettings settings,
            CredentialValues credentials,
            Optional<Era> era,
            Runnable listWanted) {
        var limits = settings.limits();
        var connectors = new Connectors(settings, credentials, budget.part());
        var link =
                new ServerLink(
                        new ServerLink.Terms(
                                settings.id(),
                                limits.concurrency(),
                                limits.start(),
                                limits.idle(),
                                ServerLink.Terms.SILENCE),
                        connectors.of(Optional.empty()),
                        era);
        link.onListChanged(listWanted);
        return switch (settings.per()) {
            case SHARED ->
                    new Connected(
                            link, () -> requireToken(settings, credentials, OAuthClients.SHARED));
            case CALLER ->
                    new CallerLinks(
                            settings.id(),
                            link,
                            caller -> {
                                var own = link.beside(connectors.of(Optional.of(caller)));
                                own.onListChanged(listWanted);
                                return own;
                            },
                            caller -> {
                                requireSecrets(settings, credentials, caller);
                                requireToken(settings, credentials, caller);
                            });
        };
    }

    /// One who lacks a secret is told so before anything is connected.
    private static void requireSecrets(
            UpstreamSettings settings, CredentialValues credentials, String caller)
            throws UpstreamFailure {
        var owner = SecretOwner.caller(caller);
        try {
            credentials.headers(owner);
            credentials.env(owner);
        } catch (Refusal refusal) {
            throw new UpstreamFailure(
                    ToolErrorType.AUTHORIZATION_REQUIRED,
                    false,
                    "The upstream %s has no credentials of this key: an operator of this server sets them. %s"
                            .formatted(settings.id(), refusal.sentence()));
        }
    }

    /// One whom a person must connect first is told so before anything is connected.
    private void requireToken(UpstreamSettings settings, CredentialValues credentials, String owner)
            throws UpstreamFailure, InterruptedException {
        var token = token(settings, credentials, owner);
        if (token.isPresent()) {
            token.get().require();
        }
    }

    private Optional<TokenCredentials> token(
            UpstreamSettings settings, CredentialValues credentials, String owner) {
        return OAuthEntries.target(settings, credentials::client)
                .flatMap(target -> tokens.map(all -> all.session(target, owner)))
                .map(session -> new TokenCredentials(session, credentials));
    }

    /// Connectors to one upstream, all with one part of the memory for answers.
    private final class Connectors {
        private final UpstreamSettings settings;
        private final CredentialValues credentials;
        private final ReadBudget memory;

        Connectors(UpstreamSettings settings, CredentialValues credentials, ReadBudget memory) {
            this.settings = settings;
            this.credentials = credentials;
            this.memory = memory;
        }

        /// Tokens are got for each request, everything else is the same for a connection.
        private RequestCredentials presented(Optional<String> caller) throws UpstreamFailure {
            var token = token(settings, credentials, caller.orElse(OAuthClients.SHARED));
            if (token.isPresent()) {
                return token.get();
            }
            var owner = caller.map(SecretOwner::caller).orElse(SecretOwner.SERVER);
            return RequestCredentials.fixed(given(settings, () -> credentials.headers(owner)));
        }

        /// @param caller whose alone the connections are
        Connector of(Optional<String> caller) {
            var owner = caller.map(SecretOwner::caller).orElse(SecretOwner.SERVER);
            var bytes = settings.limits().resultBytes();
            return inOurWords(
                    switch (settings.peer()) {
                        case Peer.Remote remote ->
                                (known, deadline) ->
                                        new HttpConnector(
                                                        settings.id(),
                                                        http.connectingWithin(
                                                                settings.limits().connect()),
                                                        remote.url(),
                                                        kind(remote.transport()),
                                                        presented(caller),
                                                        bytes,
                                                        memory,
                                                        settings.elicit())
                                                .connect(known, deadline);
                        case Peer.Command command ->
                                (known, deadline) ->
                                        new CommandStart(
                                                        settings.id(),
                                                        () ->
                                                                processes.start(
                                                                        new Place(
                                                                                settings.id(),
                                                                                caller),
                                                                        command,
                                                                        given(
                                                                                settings,
                                                                                () ->
                                                                                        credentials
                                                                                                .env(
                                                                                                        owner))),
                                                        credentials)
                                                .connect(
                                                        known,
                                                        deadline,
                                                        bytes,
                                                        memory,
                                                        settings.elicit());
                    },
                    credentials);
        }
    }

    /// Why there is no connection is told to operators and stands in the log.
    private static Connector inOurWords(Connector connector, CredentialValues credentials) {
        return (known, deadline) -> {
            try {
                return connector.connect(known, deadline);
            } catch (UpstreamFailure failure) {
                throw credentials.failure(failure);
            }
        };
    }

    private static HttpConnector.Kind kind(Peer.Transport transport) {
        return switch (transport) {
            case AUTO -> HttpConnector.Kind.AUTO;
            case HTTP -> HttpConnector.Kind.STREAMABLE;
            case SSE -> HttpConnector.Kind.SSE;
        };
    }

    /// A secret that is not there is a failure of the upstream until somebody sets it.
    private static Map<String, String> given(
            UpstreamSettings settings, Supplier<Map<String, String>> values)
            throws UpstreamFailure {
        try {
            return values.get();
        } catch (Refusal refusal) {
            throw new UpstreamFailure(
                    ToolErrorType.UPSTREAM_UNAVAILABLE,
                    false,
                    "The upstream %s cannot be given its credentials. %s"
                            .formatted(settings.id(), refusal.sentence()));
        }
    }

    private record Connected(ServerLink link, Admission admission) implements UpstreamLink {
        @Override
        public LinkState state() {
            return link.state();
        }

        @Override
        public Optional<String> trouble() {
            return link.lastFailure();
        }

        @Override
        public Optional<Era> era() {
            return link.era();
        }

        @Override
        public long dropped() {
            return link.dropped();
        }

        @Override
        public List<ObjectNode> listTools(Deadline deadline)
                throws InterruptedException, UpstreamFailure {
            return link.listTools(deadline);
        }

        @Override
        public Optional<Duration> listAge() {
            return link.listAge();
        }

        @Override
        public UpstreamResult callTool(
                String caller, String tool, ObjectNode arguments, CallOptions options)
                throws InterruptedException, UpstreamFailure {
            admission.require();
            return link.callTool(caller, tool, arguments, options);
        }

        @Override
        public UpstreamResult readResource(String caller, String uri, CallOptions options)
                throws InterruptedException, UpstreamFailure {
            admission.require();
            return link.readResource(caller, uri, options);
        }

        @Override
        public void restart() {
            link.restart();
        }

        @Override
        public void close() {
            link.close();
        }
    }
}
