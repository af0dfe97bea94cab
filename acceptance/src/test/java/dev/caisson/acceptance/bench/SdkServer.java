package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.Json;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import org.apache.catalina.startup.Tomcat;

/// The MCP Java SDK's own server on embedded Tomcat, with the tool the contest calls. It checks
/// arguments and results against the same schemas as ours, and asks for no key.
final class SdkServer {
    private SdkServer() {}

    static void main() throws Exception {
        var transport =
                HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
        var server =
                McpServer.sync(transport)
                        .serverInfo("sdk", "2.1.0")
                        .capabilities(ServerCapabilities.builder().tools(true).build())
                        .validateToolInputs(true)
                        .toolCall(tool(), (exchange, request) -> add(request))
                        .build();
        var tomcat = new Tomcat();
        tomcat.setPort(0);
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "mcp", transport).setAsyncSupported(true);
        context.addServletMapping("/mcp", "mcp");
        // Tomcat would close a connection after a hundred requests.
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        System.in.read();
        server.close();
        tomcat.stop();
    }

    private static Tool tool() {
        return Tool.builder(Contest.TOOL, schema(Contest.INPUT))
                .description("Adds two numbers.")
                .outputSchema(schema(Contest.OUTPUT))
                .build();
    }

    @SuppressWarnings("unchecked") // A JSON object is a map by its text.
    private static Map<String, Object> schema(String json) {
        return Json.read(Json.parse(json), Map.class);
    }

    private static CallToolResult add(CallToolRequest request) {
        var sum = number(request, "a") + number(request, "b");
        return CallToolResult.builder()
                .addTextContent("The sum is " + sum)
                .structuredContent(Map.of("sum", sum))
                .build();
    }

    private static double number(CallToolRequest request, String name) {
        return request.arguments().get(name) instanceof Number number ? number.doubleValue() : 0;
    }
}
