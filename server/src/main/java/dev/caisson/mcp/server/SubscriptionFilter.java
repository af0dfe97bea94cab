package dev.caisson.mcp.server;

import dev.caisson.call.Change;
import dev.caisson.json.Json;
import dev.caisson.rpc.Params;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Filter of the changes a listener wants to hear of. Nothing else is ever sent to it.
public record SubscriptionFilter(
        boolean tools,
        boolean prompts,
        boolean resources,
        Set<String> resourceUris,
        Set<String> taskIds) {
    /// How many resources, and how many tasks, one listener may watch.
    public static final int WATCHED_MAX = 1000;

    private static final int PER_URI_BYTES = 128;

    public SubscriptionFilter {
        resourceUris = Set.copyOf(resourceUris);
        taskIds = Set.copyOf(taskIds);
    }

    static SubscriptionFilter read(Params params) {
        return new SubscriptionFilter(
                params.flag("toolsListChanged"),
                params.flag("promptsListChanged"),
                params.flag("resourcesListChanged"),
                Set.copyOf(params.uris("resourceSubscriptions", WATCHED_MAX)),
                Set.copyOf(params.uris("taskIds", WATCHED_MAX)));
    }

    /// What it takes of the memory for subscriptions.
    long bytes() {
        return Stream.concat(resourceUris.stream(), taskIds.stream())
                .mapToLong(SubscriptionFilter::bytes)
                .sum();
    }

    /// What it takes to remember a URI.
    static long bytes(String uri) {
        return PER_URI_BYTES + 2L * uri.length();
    }

    public boolean wants(Change change) {
        return switch (change) {
            case Change.Tools _ -> tools;
            case Change.Prompts _ -> prompts;
            case Change.Resources _ -> resources;
            case Change.ResourceUpdated updated -> resourceUris.contains(updated.uri());
            case Change.ProcessMoved moved -> taskIds.contains(moved.processId());
        };
    }

    /// As the acknowledgment says it back.
    ObjectNode json() {
        var json = Json.object();
        putIf(json, "toolsListChanged", tools);
        putIf(json, "promptsListChanged", prompts);
        putIf(json, "resourcesListChanged", resources);
        putIf(json, "resourceSubscriptions", resourceUris);
        putIf(json, "taskIds", taskIds);
        return json;
    }

    private static void putIf(ObjectNode json, String name, boolean wanted) {
        if (wanted) {
            json.put(name, true);
        }
    }

    private static void putIf(ObjectNode json, String name, Set<String> wanted) {
        if (!wanted.isEmpty()) {
            var array = json.putArray(name);
            wanted.stream().sorted().forEach(array::add);
        }
    }
}
