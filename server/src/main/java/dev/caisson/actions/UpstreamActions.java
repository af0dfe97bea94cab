package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.upstream.DefinitionNews;
import dev.caisson.upstream.EnteredEntry;
import dev.caisson.upstream.EntryMask;
import dev.caisson.upstream.ReviewedTool;
import dev.caisson.upstream.UpstreamDirectory;
import dev.caisson.upstream.UpstreamView;
import dev.caisson.upstream.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Changes of upstreams and decisions on their tools. A record has the entry without what may be
/// secret in it.
public final class UpstreamActions {
    private final Broker broker;
    private final UpstreamDirectory upstreams;
    private final boolean commands;

    /// @param commands whether an entry may name a program to start
    public UpstreamActions(Broker broker, UpstreamDirectory upstreams, boolean commands) {
        this.broker = broker;
        this.upstreams = upstreams;
        this.commands = commands;
    }

    /// Records definitions that an upstream changed: an entry for each list that is other than the
    /// one before, with the state and the hash of every tool that is.
    ///
    /// @param broker of the records
    public static DefinitionNews recorded(Supplier<Broker> broker) {
        return (upstream, changed, gone) -> {
            var given = named(upstream);
            var tools = given.putObject("tools");
            changed.forEach(tool ->
                    tools.putObject(tool.name())
                            .put("state", tool.state().word())
                            .put("hash", tool.hash()));
            gone.forEach(tool -> tools.putObject(tool).put("state", "removed"));
            broker.get()
                    .act(
                            Call.of(Caller.LOCAL, Door.INSIDE, TraceContext.fresh()),
                            ActionRequest.change("upstream_drift/" + upstream, given),
                            _ -> upstream);
        };
    }

    /// What there is, for doors that show it.
    public UpstreamDirectory upstreams() {
        return upstreams;
    }

    public boolean takesCommands() {
        return commands;
    }

    /// @param approve whether the first list of its tools is taken as it is
    public UpstreamView add(Call call, String id, ObjectNode entry, boolean approve)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("upstream_add", given(id, entry, approve)),
                _ -> upstreams.add(EnteredEntry.read(id, entry, commands), entry, approve));
    }

    /// The same in place of the one of that id.
    public UpstreamView put(Call call, String id, ObjectNode entry, boolean approve)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("upstream_set", given(id, entry, approve)),
                _ -> upstreams.put(EnteredEntry.read(id, entry, commands), entry, approve));
    }

    private static ObjectNode given(String id, ObjectNode entry, boolean approve) {
        var given = named(id).put("approve", approve);
        given.set("entry", EntryMask.of(entry));
        return given;
    }

    public void remove(Call call, String id) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("upstream_remove", named(id)),
                _ -> {
                    upstreams.remove(id);
                    return id;
                });
    }

    /// Lists its tools now.
    public UpstreamView refresh(Call call, String id) throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("upstream_refresh", named(id)),
                _ -> upstreams.listed(id));
    }

    /// Ends its connection and makes another.
    public UpstreamView restart(Call call, String id) throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("upstream_restart", named(id)),
                _ -> upstreams.restart(id));
    }

    /// Decides on all of these tools, or on none.
    public List<ReviewedTool> review(Call call, String id, Map<String, Verdict> verdicts)
            throws InterruptedException {
        return broker.act(
                call,
                ActionRequest.change("upstream_review", named(id, verdicts)),
                _ -> upstreams.review(id, verdicts, call.caller().name()));
    }

    private static ObjectNode named(String id, Map<String, Verdict> verdicts) {
        var named = named(id);
        var tools = named.putObject("tools");
        verdicts.forEach((tool, verdict) -> {
            var said =
                    tools.putObject(tool)
                            .put("decision", verdict.choice().name().toLowerCase(Locale.ROOT));
            verdict.hash().ifPresent(hash -> said.put("hash", hash));
            verdict.effect().ifPresent(effect -> said.put("effect", effect.word()));
        });
        return named;
    }

    private static ObjectNode named(String id) {
        return Json.object().put("id", id);
    }
}
