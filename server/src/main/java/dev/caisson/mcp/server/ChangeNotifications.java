package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.json.Json;
import dev.caisson.rpc.Rpc;
import tools.jackson.databind.node.ObjectNode;

/// Changes as the protocol announces them.
public record ChangeNotifications(Tasks tasks) {
    public ObjectNode of(Change change, Caller caller) {
        return switch (change) {
            case Change.Tools _ -> plain("notifications/tools/list_changed");
            case Change.Prompts _ -> plain("notifications/prompts/list_changed");
            case Change.Resources _ -> plain("notifications/resources/list_changed");
            case Change.ResourceUpdated updated ->
                    Rpc.notification(
                            "notifications/resources/updated",
                            Json.object().put("uri", updated.uri()));
            case Change.ProcessMoved moved ->
                    Rpc.notification(
                            "notifications/tasks",
                            tasks.look(caller, moved.processId()).orElseGet(Json::object));
        };
    }

    private static ObjectNode plain(String method) {
        return Rpc.notification(method, Json.object());
    }
}
