package dev.caisson.rest;

import java.util.Map;
import java.util.Optional;

/// Which tool does over MCP what a route does over REST. A key that does not see the tool may not
/// use the route either.
final class RouteTools {
    private static final Map<String, String> TOOLS =
            Map.ofEntries(
                    Map.entry("listRunners", "list_runners"),
                    Map.entry("execute", Execute.TOOL),
                    Map.entry("getWebhookSecret", Execute.TOOL),
                    Map.entry("listExecutions", "output_read"),
                    Map.entry("getExecution", "output_read"),
                    Map.entry("cancelExecution", Execute.TOOL),
                    Map.entry("getOutput", "output_read"),
                    Map.entry("getResult", "output_read"),
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

    RouteTools(ToolDoor tools) {
        this.tools = tools;
    }

    /// The route for those who see its tool.
    Route bound(Route route) {
        return tool(route).map(tools::toolset).map(route::within).orElse(route);
    }

    static Optional<String> tool(Route route) {
        return Optional.ofNullable(TOOLS.get(route.id()));
    }
}
