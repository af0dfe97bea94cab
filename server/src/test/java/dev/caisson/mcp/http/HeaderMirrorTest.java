package dev.caisson.mcp.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.mcp.McpTestCase;
import dev.caisson.rpc.RpcError;
import java.net.http.HttpRequest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeaderMirrorTest extends McpTestCase {
    private HttpRequest.Builder call(String arguments) {
        return alice.modern(
                "1",
                "tools/call",
                "mirrored",
                "\"name\":\"mirrored\",\"arguments\":{%s}".formatted(arguments));
    }

    private static String encoded(String text) {
        return "=?base64?" + Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) + "?=";
    }

    private void requireServed(HttpRequest.Builder call) throws Exception {
        var response = alice.send(call);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).contains("\"isError\":false");
    }

    private void requireMismatch(HttpRequest.Builder call) throws Exception {
        var response = alice.send(call);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(Json.parse(response.body()).path("error").path("code").intValue())
                .isEqualTo(RpcError.HEADER_MISMATCH);
    }

    @Test
    void headers_that_say_what_the_arguments_say_are_fine() throws Exception {
        requireServed(call(""));
        requireServed(call("\"region\":\"eu\"").header("Mcp-Param-Region", "eu"));
        requireServed(call("\"region\":\"eu\"").header("mcp-param-region", "  eu "));
        requireServed(call("\"region\":\"zürich\"").header("Mcp-Param-Region", encoded("zürich")));
        for (var same : List.of("42", "42.0", "4.2e1")) {
            requireServed(call("\"count\":42").header("Mcp-Param-Count", same));
        }
        requireServed(call("\"region\":null"));
    }

    @Test
    void headers_that_say_something_else_are_refused() throws Exception {
        requireMismatch(call("\"region\":\"eu\""));
        requireMismatch(call("").header("Mcp-Param-Region", "eu"));
        requireMismatch(call("\"region\":null").header("Mcp-Param-Region", "null"));
        requireMismatch(call("\"region\":\"eu\"").header("Mcp-Param-Region", "EU"));
        requireMismatch(call("\"count\":42").header("Mcp-Param-Count", "43"));
        requireMismatch(call("\"count\":42").header("Mcp-Param-Count", "forty-two"));
        var twice = call("\"region\":\"eu\"").header("Mcp-Param-Region", "eu");
        requireMismatch(twice.header("Mcp-Param-Region", "us"));
    }

    @Test
    void the_encoding_is_strict() throws Exception {
        for (var wrong : List.of("=?base64?!!!!?=", "=?base64?ZXU?=", "=?base64?/////w==?=")) {
            requireMismatch(call("\"region\":\"eu\"").header("Mcp-Param-Region", wrong));
        }
        requireServed(call("\"region\":\"=?base64?x\"").header("Mcp-Param-Region", "=?base64?x"));
    }

    @Test
    void the_method_and_the_name_are_mirrored_too() throws Exception {
        requireMismatch(call("").setHeader("Mcp-Method", "tools/list"));
        requireMismatch(call("").setHeader("Mcp-Name", "echo"));
        requireMismatch(call("").setHeader("MCP-Protocol-Version", "2025-11-25"));
        requireServed(call("").setHeader("Mcp-Name", encoded("mirrored")));
    }

    @Test
    void numbers_no_machine_can_hold_end_soon() throws Exception {
        requireMismatch(call("\"count\":42").header("Mcp-Param-Count", "1e999999999"));
    }
}
