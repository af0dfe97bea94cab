package dev.caisson;

import dev.caisson.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Doors through which a tool of an upstream is called.
enum UpstreamCaller {
    MODERN,
    LEGACY,
    REST,
    PYTHON,
    NODE;

    /// What a caller was told.
    ///
    /// @param gist `ok` and the text of the result, or the type of the failure
    /// @param whole all that it was sent
    record Told(String gist, String whole) {
        boolean failed() {
            return !gist.startsWith("ok ");
        }
    }

    /// @param id of the upstream
    Told call(TestProduct product, String key, String id, String tool, ObjectNode arguments)
            throws Exception {
        var name = id.replace('-', '_') + "." + tool;
        return switch (this) {
            case MODERN -> overMcp(mcp(product, key, true, "tool_call", call(name, arguments)));
            case LEGACY -> overMcp(mcp(product, key, false, "tool_call", call(name, arguments)));
            case REST ->
                    overRest(product, key, "/v1/tools/%s/%s/call".formatted(id, tool), arguments);
            case PYTHON ->
                    inside(
                            product,
                            key,
                            "python",
                            """
                            import caisson, json, sys
                            try:
                                data = caisson.call("%s", json.loads('%s'))
                                print("ok", data if isinstance(data, str) else json.dumps(data), end="")
                            except caisson.ToolError as error:
                                print(error.type, end="")
                                print(error.message, file=sys.stderr)
                            """
                                    .formatted(name, Json.text(arguments)));
            case NODE ->
                    inside(
                            product,
                            key,
                            "node",
                            """
                            import { call, ToolError } from 'caisson'
                            try {
                              const data = await call('%s', JSON.parse('%s'))
                              process.stdout.write('ok ' + (typeof data === 'string' ? data : JSON.stringify(data)))
                            } catch (error) {
                              if (!(error instanceof ToolError)) throw error
                              process.stdout.write(error.type)
                              console.error(error.message)
                            }
                            """
                                    .formatted(name, Json.text(arguments)));
        };
    }

    private static ObjectNode call(String name, ObjectNode arguments) {
        var call = Json.object().put("tool", name);
        call.set("arguments", arguments);
        return call;
    }

    static JsonNode mcp(
            TestProduct product, String key, boolean modern, String tool, ObjectNode arguments)
            throws Exception {
        var params = McpMessages.tool(tool, arguments);
        var to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        return McpMessages.response(product.send(request).body()).path("result");
    }

    private static Told overMcp(JsonNode result) {
        if (result.path("isError").asBoolean(false)) {
            // What a tool says of its failure goes through as it is.
            var type = result.at("/structuredContent/error").asString("ToolFailed");
            return new Told(type, result.toString());
        }
        var text = result.at("/content/0/text").asString(result.toString());
        return new Told("ok " + text, result.toString());
    }

    private static Told overRest(TestProduct product, String key, String path, ObjectNode arguments)
            throws Exception {
        var body = Json.object();
        body.set("arguments", arguments);
        var request = product.open(path).header("Authorization", "Bearer " + key);
        var text = product.send(TestProduct.post(request, body)).body();
        var answer = Json.parse(text);
        if (answer.path("ok").asBoolean(false)) {
            var data = answer.path("data");
            return new Told("ok " + data.asString(data.toString()), text);
        }
        var type = answer.at("/error/type").asString(answer.path("error").asString(text));
        return new Told(type, text);
    }

    private static Told inside(TestProduct product, String key, String language, String code)
            throws Exception {
        var run = Json.object().put("language", language).put("code", code);
        var request = product.open("/v1/sandbox/execute").header("Authorization", "Bearer " + key);
        var text = product.send(TestProduct.post(request, run)).body();
        return new Told(Json.parse(text).path("stdout").asString(text), text);
    }
}
