package dev.caisson.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncomingMessageTest {
    private static IncomingMessage read(String json) {
        return IncomingMessage.read(json.getBytes(UTF_8));
    }

    private static ProtocolError refused(String json) {
        return catchThrowableOfType(ProtocolError.class, () -> read(json));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0", "\"a\"", "1e2", "1.50", "-7", "12345678901234567890123"})
    void an_id_is_given_back_as_it_came(String id) {
        var request =
                (IncomingMessage.Request)
                        read(
                                "{\"params\":{\"id\":5},\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"x\"}"
                                        .formatted(id));
        assertThat(Json.text(Rpc.result(request.id(), Json.object())))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}".formatted(id));
        assertThat(request.id().key()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "{}", "[1]"})
    void an_id_of_another_type_is_refused(String id) {
        var error = refused("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"x\"}".formatted(id));
        assertThat(error.error().code()).isEqualTo(RpcError.INVALID_REQUEST);
        assertThat(error.id()).isEmpty();
    }

    private static boolean timedOut(String reason) {
        var message = Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
        message.putObject("params").put("requestId", 1).put("reason", reason);
        return ((IncomingMessage.Notification) read(Json.text(message))).saysTimedOut();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "McpError: MCP error -32001: Request timed out",
                "MCP error -32001: Maximum total timeout exceeded",
                "Error: Request timed out",
                "TimeoutError: The operation was aborted due to timeout",
                "The operation timed out.",
                "timeout"
            })
    void a_client_says_that_its_own_time_is_over(String reason) {
        assertThat(timedOut(reason)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "AbortError: This operation was aborted",
                "User requested cancellation",
                "I gave it the wrong timeout",
                "the user timed out of patience",
                "the timeout dialog was cancelled"
            })
    void any_other_reason_is_a_wish_to_end_the_work(String reason) {
        assertThat(timedOut(reason)).isFalse();
    }

    @Test
    void what_is_not_json_is_a_parse_error() {
        assertThat(refused("{").error().code()).isEqualTo(RpcError.PARSE_ERROR);
        assertThat(refused("[".repeat(Json.DEPTH_MAX + 1)).error().code())
                .isEqualTo(RpcError.PARSE_ERROR);
    }

    @Test
    void a_batch_is_refused() {
        assertThat(refused("[]").error().message()).contains("Batches");
    }

    @Test
    void an_error_has_the_id_that_could_be_read() {
        var error = refused("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"x\"}");
        assertThat(error.id()).map(RequestId::key).contains("7");
        assertThat(refused("{\"jsonrpc\":\"2.0\",\"id\":8}").id())
                .map(RequestId::key)
                .contains("8");
        assertThat(
                        refused("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"x\",\"params\":[]}")
                                .error()
                                .code())
                .isEqualTo(RpcError.INVALID_PARAMS);
    }

    @Test
    void responses_and_notifications_are_told_apart() {
        assertThat(read("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"))
                .isInstanceOf(IncomingMessage.Notification.class);
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}"))
                .isInstanceOf(IncomingMessage.Response.class);
        assertThat(refused("{\"jsonrpc\":\"2.0\",\"result\":{}}").error().code())
                .isEqualTo(RpcError.INVALID_REQUEST);
    }
}
