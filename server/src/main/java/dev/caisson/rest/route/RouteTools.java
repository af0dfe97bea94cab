package dev.caisson.rest.route;

import dev.caisson.rest.runs.ExecuteRoutes;
import dev.caisson.rest.runs.ToolDoor;
import java.util.Map;
import java.util.Optional;

/// Mapping of routes to the tools that do the same over MCP. A key that does not see the tool may
/// not use the route either.
public final class RouteTools {
    private static final Map<String, String> TOOLS =
            Map.ofEntries(
                    Map.entry("listRunners", "list_runners"),
                    Map.entry("listEnvironments", "list_runners"),
                    Map.entry("execute", ExecuteRoutes.TOOL),
                    Map.entry("getWebhookSecret", ExecuteRoutes.TOOL),
                    Map.entry("listExecutions", "output_read"),
                    Map.entry("getExecution", "output_read"),
                    Map.entry("cancelExecution", ExecuteRoutes.TOOL),
                    Map.entry("getOutput", "output_read"),
                    Map.entry("getResult", "output_read"),
                    Map.entry("listCalls", "output_read"),
                    Map.entry("listTools", "tool_search"),
                    Map.entry("describeTool", "tool_describe"),
                    Map.entry("callTool", "tool_call"),
                    Map.entry("listSessions", "sessions_list"),
                    Map.entry("endSession", "session_reset"),
                    Map.entry("listThreads", "files_list"),
                    Map.entry("getThread", "files_list"),
                    Map.entry("deleteThread", "files_delete"),
                    Map.entry("archiveThread", "files_download"),
                    Map.entry("followThread", "files_list"),
                    Map.entry("listFiles", "files_list"),
                    Map.entry("downloadFile", "files_download"),
                    Map.entry("uploadFile", "files_upload"),
                    Map.entry("deleteFile", "files_delete"),
                    Map.entry("listVolumes", "files_list"),
                    Map.entry("createVolume", "files_upload"),
                    Map.entry("getVolume", "files_list"),
                    Map.entry("deleteVolume", "files_delete"),
                    Map.entry("grantVolume", "files_upload"),
                    Map.entry("revokeVolume", "files_delete"));

    private final ToolDoor tools;

    public RouteTools(ToolDoor tools) {
        this.tools = tools;
    }

    /// The route for those who see its tool.
    public Route bound(Route route) {
        return tool(route).map(tools::toolset).map(route::within).orElse(route);
    }

    /// Whether there is the tool of a route: a route whose tool is disabled is gone.
    public boolean exists(Route route) {
        return tool(route).map(tools::exists).orElse(true);
    }

    static Optional<String> tool(Route route) {
        return Optional.ofNullable(TOOLS.get(route.id()));
    }
}
