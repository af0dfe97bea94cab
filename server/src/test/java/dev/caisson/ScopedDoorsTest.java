package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A key without a scope gets no further over one door than over the other.
class ScopedDoorsTest extends ProductTestCase {
    private static final List<String> REVISIONS = List.of("2025-06-18", "2026-07-28");

    @Test
    void a_key_that_may_only_read_files_runs_nothing_over_any_door() throws Exception {
        var key = newKey("reader", "files_read");

        for (var revision : REVISIONS) {
            assertThat(tools(key, revision))
                    .containsExactly("files_download", "files_list", "list_runners");
            var refused = mcp(key, revision, "tools/call", call("sandbox_execute", bash("true")));
            assertThat(refused.path("error").path("code").intValue()).isEqualTo(-32602);
            assertThat(refused.path("error").path("message").stringValue())
                    .startsWith("Unknown tool: sandbox_execute");
        }
        var rest = rest(key, "/v1/sandbox/execute", bash("true"));
        assertThat(rest.statusCode()).isEqualTo(403);
        assertThat(rest.body()).contains("\"scopes\":[\"run\"]");
        assertThat(product.get("/v1/executions?all=true").path("executions")).isEmpty();
    }

    @Test
    void a_key_that_may_only_run_has_no_hand_on_files_over_any_door() throws Exception {
        var key = newKey("runner", "run");
        var file = Json.object().put("source", "thread").put("id", "t").put("path", "a");

        for (var revision : REVISIONS) {
            assertThat(tools(key, revision))
                    .containsExactly(
                            "execution_cancel",
                            "execution_wait",
                            "executions_list",
                            "list_runners",
                            "output_read",
                            "sandbox_execute",
                            "session_reset",
                            "sessions_list");
            for (var tool : List.of("files_list", "files_delete")) {
                var refused = mcp(key, revision, "tools/call", call(tool, file));
                assertThat(refused.path("error").path("code").intValue()).isEqualTo(-32602);
            }
            var resources = mcp(key, revision, "resources/list", Json.object());
            assertThat(resources.path("result").path("resources").valueStream())
                    .allSatisfy(resource ->
                            assertThat(resource.path("uri").stringValue())
                                    .startsWith("caisson://tools/"));
        }
        for (var path : List.of("/v1/files/list", "/v1/files/delete", "/v1/files/upload")) {
            assertThat(rest(key, path, file).statusCode()).as(path).isEqualTo(403);
        }
    }

    /// What no tool does over MCP either.
    private static final Set<String> WITHOUT_A_TOOL =
            Set.of(
                    "getOpenApi",
                    "whoAmI",
                    "listLedger",
                    "listUsage",
                    "resetAttempts",
                    "listKeys",
                    "listProfiles",
                    "getProfile",
                    "setProfile",
                    "removeProfile",
                    "listSecrets",
                    "setSecret",
                    "removeSecret",
                    "listUpstreams",
                    "addUpstream",
                    "getUpstream",
                    "setUpstream",
                    "removeUpstream",
                    "refreshUpstream",
                    "restartUpstream",
                    "listUpstreamTools",
                    "reviewUpstreamTool",
                    "connectUpstream",
                    "reviewUpstreamTools",
                    "listPolicy",
                    "setPolicyRule",
                    "removePolicyRule",
                    "explainPolicy",
                    "listApprovals",
                    "listUnknownCalls",
                    "reconcileCall",
                    "getApproval",
                    "decideApproval",
                    "testPolicy",
                    "suggestPolicy",
                    "createKey",
                    "revokeKey",
                    "getStatus",
                    "examine",
                    "bakeEnvironment",
                    "getBake",
                    "removeEnvironment");

    /// What the tools of the toolset code do.
    private static final Set<String> OF_CODE = Set.of("listTools", "describeTool", "callTool");

    @Test
    void a_key_uses_no_route_that_does_what_a_tool_does_it_does_not_see() throws Exception {
        var core = keyOf("core");
        var files = keyOf("files");
        for (var revision : REVISIONS) {
            assertThat(tools(core, revision))
                    .isNotEmpty()
                    .doesNotContainAnyElementsOf(tools(files, revision));
            assertThat(tools(files, revision)).isNotEmpty();
            var templates = mcp(core, revision, "resources/templates/list", Json.object());
            assertThat(templates.at("/result/resourceTemplates")).isEmpty();
            assertThat(templates.at("/result/resourceTemplates").isArray()).isTrue();
        }
        var seen = 0;
        for (var path : product.get("/v1/openapi.json").path("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                var id = operation.getValue().path("operationId").asString("");
                if (id.isEmpty() || WITHOUT_A_TOOL.contains(id)) {
                    continue;
                }
                var method = operation.getKey();
                if (OF_CODE.contains(id)) {
                    assertThat(refused(core, "code", method, path.getKey())).as(id).isTrue();
                    seen++;
                    continue;
                }
                assertThat(refused(core, "files", method, path.getKey()))
                        .as(id)
                        .isNotEqualTo(refused(files, "core", method, path.getKey()));
                seen++;
            }
        }
        assertThat(seen).isEqualTo(30);
    }

    /// Whether a route is refused for a toolset that a key does not see.
    private boolean refused(String key, String toolset, String method, String template)
            throws Exception {
        var answer = ask(key, method, template);
        return answer.statusCode() == 403
                && answer.body().contains("\"toolsets\":[\"%s\"]".formatted(toolset));
    }

    /// With every scope, and one toolset.
    private String keyOf(String toolset) throws Exception {
        var made = rest(product.key, "/v1/keys", wanted(toolset));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.parse(made.body()).path("secret").stringValue();
    }

    private static ObjectNode wanted(String toolset) {
        var wanted = Json.object().put("name", "narrow");
        for (var scope : List.of("run", "files_read", "files_write", "tools", "admin", "audit")) {
            wanted.withArrayProperty("scopes").add(scope);
        }
        wanted.putArray("toolsets").add(toolset);
        return wanted;
    }

    @Test
    void a_key_for_a_toolset_that_does_not_exist_is_not_made() throws Exception {
        var refused = rest(product.key, "/v1/keys", wanted("other"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .contains(
                        "There is no toolset other. toolsets may be [core, files, dev, conversation, code].")
                .contains("\"parameter\":\"toolsets\"");
    }

    private HttpResponse<String> ask(String key, String method, String template) throws Exception {
        var path = template.replaceAll("\\{[^}]*}", "x");
        return product.send(
                product.open(path)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(method.toUpperCase(Locale.ROOT), BodyPublishers.ofString("{}")));
    }

    @Test
    void a_key_that_may_not_read_files_gets_no_links_to_them() throws Exception {
        var program = bash("echo 1 > file").put("thread_id", "t");
        var links = new ArrayList<Boolean>();
        for (var key : List.of(product.key, newKey("no reader", "run"), keyOf("core"))) {
            var answer = rest(key, "/v1/sandbox/execute", program);
            var file = Json.parse(answer.body()).path("files").path(0);
            assertThat(file.path("path").asString("")).as(answer.body()).isEqualTo("file");
            links.add(file.hasNonNull("url"));
        }
        assertThat(links).containsExactly(true, false, false);
    }

    private String newKey(String name, String scope) throws Exception {
        var wanted = Json.object().put("name", name);
        wanted.putArray("scopes").add(scope);
        var made = rest(product.key, "/v1/keys", wanted);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.parse(made.body()).path("secret").stringValue();
    }

    private HttpResponse<String> rest(String key, String path, JsonNode body) throws Exception {
        return product.send(
                TestProduct.post(
                        product.open(path).header("Authorization", "Bearer " + key), body));
    }

    private static ObjectNode call(String tool, ObjectNode arguments) {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return params;
    }

    private List<String> tools(String key, String revision) throws Exception {
        return mcp(key, revision, "tools/list", Json.object())
                .path("result")
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("name").stringValue())
                .toList();
    }

    private JsonNode mcp(String key, String revision, String method, ObjectNode params)
            throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var request =
                revision.equals(McpMessages.MODERN)
                        ? McpMessages.modern(to, method, params)
                        : McpMessages.legacy(to, method, params)
                                .header("MCP-Protocol-Version", revision);
        return McpMessages.response(product.send(request).body());
    }
}
