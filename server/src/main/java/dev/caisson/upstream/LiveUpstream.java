package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.upstream.connection.LinkState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One upstream at work: its settings, its link, and the tools that were decided on.
final class LiveUpstream {
    /// How the last list went.
    ///
    /// @param trouble why there was none
    record Listed(Instant at, Optional<String> trouble) {}

    private final UpstreamSettings settings;
    private final CredentialValues credentials;
    private final UpstreamLink link;
    private volatile StoredUpstream stored;
    private volatile Map<String, ReviewedTool> tools;
    private volatile Optional<Listed> listed = Optional.empty();

    LiveUpstream(
            StoredUpstream stored,
            UpstreamSettings settings,
            Map<String, ReviewedTool> tools,
            CredentialValues credentials,
            UpstreamLink link) {
        this.stored = stored;
        this.settings = settings;
        this.tools = Map.copyOf(tools);
        this.credentials = credentials;
        this.link = link;
    }

    UpstreamSettings settings() {
        return settings;
    }

    CredentialValues credentials() {
        return credentials;
    }

    UpstreamLink link() {
        return link;
    }

    StoredUpstream stored() {
        return stored;
    }

    Map<String, ReviewedTool> tools() {
        return tools;
    }

    boolean isReady() {
        return link.state() == LinkState.READY;
    }

    void has(StoredUpstream newStored, Map<String, ReviewedTool> newTools) {
        stored = newStored;
        tools = Map.copyOf(newTools);
    }

    void listed(Instant at, Optional<String> trouble) {
        listed = Optional.of(new Listed(at.truncatedTo(ChronoUnit.MILLIS), trouble));
    }

    /// What this server sees of it now.
    StoredUpstream.Noted seen() {
        var last = listed;
        return new StoredUpstream.Noted(
                link.state(),
                link.trouble().or(() -> last.flatMap(Listed::trouble)),
                last.map(Listed::at));
    }

    /// The state of a tool now.
    private ToolState state(String tool) {
        return Optional.ofNullable(tools.get(tool))
                .map(ReviewedTool::state)
                .orElse(ToolState.REMOVED);
    }

    /// Whether types of the results of a tool are learned.
    ///
    /// @param tool its name there
    boolean learns(String tool) {
        var known = Optional.ofNullable(tools.get(tool)).flatMap(ReviewedTool::approved);
        return settings.learn()
                && settings.per() == UpstreamSettings.Sharing.SHARED
                && known.filter(definition -> definition.outputSchema().isEmpty()).isPresent();
    }

    /// What reads its resources.
    Tool resources() {
        return new ResourceRead(settings, link, credentials);
    }

    /// Those that nobody has decided on yet.
    ///
    /// @param naming gives the names that they would have
    List<Tool> waiting(ToolNaming naming) {
        var python = new HashSet<String>();
        var js = new HashSet<String>();
        tools.values()
                .forEach(tool -> {
                    tool.pythonName().ifPresent(python::add);
                    tool.jsName().ifPresent(js::add);
                });
        return tools.values().stream()
                .filter(tool -> tool.state() == ToolState.NEW)
                .map(ReviewedTool::name)
                .filter(settings.tools()::takes)
                .sorted()
                .<Tool>map(name -> {
                    var names = naming.name(name, Set.copyOf(python), Set.copyOf(js));
                    python.add(names.python());
                    js.add(names.js());
                    return new WaitingTool(settings, name, names);
                })
                .toList();
    }

    /// Those that can be found: what was approved and is still listed, also while a change of it
    /// waits for a person.
    List<Tool> found() {
        var found = new ArrayList<Tool>();
        for (var tool : tools.values()) {
            var shown = tool.state() == ToolState.APPROVED || tool.state() == ToolState.CHANGED;
            if (shown && tool.approval().isPresent() && settings.tools().takes(tool.name())) {
                found.add(
                        new UpstreamTool(
                                settings, tool, link, credentials, () -> state(tool.name())));
            }
        }
        return found;
    }
}
