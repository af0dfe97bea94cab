package dev.caisson;

import dev.caisson.call.Changes;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.identity.Vault;
import dev.caisson.store.Store;
import dev.caisson.stubs.Identifiers;
import dev.caisson.telemetry.Metrics;
import dev.caisson.upstream.ConnectionLinks;
import dev.caisson.upstream.DefinitionNews;
import dev.caisson.upstream.ToolNaming;
import dev.caisson.upstream.UpstreamAuthorizations;
import dev.caisson.upstream.UpstreamMistakes;
import dev.caisson.upstream.UpstreamOptions;
import dev.caisson.upstream.UpstreamProcesses;
import dev.caisson.upstream.UpstreamWatch;
import dev.caisson.upstream.Upstreams;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Wiring of upstreams: other MCP servers whose tools are called here.
final class UpstreamServices {
    /// How long after the begin of a list of an upstream's tools the next one may begin.
    private static final Duration LISTS_APART = Duration.ofSeconds(5);

    final Upstreams upstreams;
    final OAuthWiring oauth;
    final UpstreamAuthorizations authorizations;
    private final UpstreamOptions options;
    private final StopPlan stop;

    /// @param services that processes of upstreams live in
    /// @param news is told of definitions that are others than before
    /// @param stop is told how to close what was opened
    UpstreamServices(
            Config config,
            Store store,
            Clock clock,
            Vault vault,
            RunServices services,
            Changes changes,
            Metrics metrics,
            DefinitionNews news,
            StopPlan stop) {
        this.options = config.upstreams();
        this.stop = stop;
        var http = new OutgoingHttp(options.privateHosts());
        stop.addQuick(StopStep.WATCHES, http::close);
        oauth = new OAuthWiring(store, vault, clock, http, options.privateHosts());
        var processes =
                new UpstreamProcesses(
                        config.data().directory().resolve("upstreams"),
                        services.sandboxes.services(),
                        services.workspaces,
                        services.profile.limits(),
                        options.privateHosts());
        upstreams =
                new Upstreams(
                        new Upstreams.Parts(
                                store,
                                clock,
                                new ConnectionLinks(
                                        http,
                                        processes,
                                        options.memoryBytes(),
                                        Optional.of(oauth.clients)),
                                vault::value,
                                UpstreamServices::names,
                                changes,
                                options.listAge(),
                                LISTS_APART,
                                news));
        authorizations = new UpstreamAuthorizations(upstreams, oauth.clients, vault::value);
        stop.addQuick(StopStep.WATCHES, upstreams::close);
        metrics.watch(
                "caisson_upstream_state",
                "Always 1; the label says in which state an upstream is.",
                List.of("upstream", "state"),
                this::states);
        metrics.count(
                "caisson_upstream_messages_dropped",
                "Messages of an upstream that nobody waited for.",
                "upstream",
                upstreams::dropped);
    }

    private Map<List<String>, Double> states() {
        return upstreams.states().entrySet().stream()
                .collect(
                        Collectors.toMap(
                                each -> List.of(each.getKey(), each.getValue()), _ -> 1.0));
    }

    static ToolNaming.Names names(String tool, Set<String> takenPython, Set<String> takenJs) {
        var names = Identifiers.of(tool, takenPython, takenJs);
        return new ToolNaming.Names(names.python(), names.javaScript());
    }

    /// Takes over the file, and makes links of what is stored.
    ///
    /// @param leads whether this server removes entries that are not in the file any more
    /// @throws Refusal with every mistake in the file
    void start(boolean leads) {
        try {
            var watch = UpstreamWatch.start(upstreams, options.file(), leads);
            stop.addQuick(StopStep.WATCHES, watch::close);
            upstreams.onKnown(oauth.clients::onlyKnown);
        } catch (UpstreamMistakes wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The file of upstreams.file cannot be used. " + wrong.sentences());
        }
    }
}
