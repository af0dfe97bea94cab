package dev.caisson.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a server sends is read strictly, and may be larger than what a client sends.
class AnswerTest {
    private static byte[] values(int tokens) {
        // The envelope has nine names, values and brackets beside the values.
        return ("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":[" + "1,".repeat(tokens) + "1]}}")
                .getBytes(UTF_8);
    }

    @Test
    void an_answer_of_many_values_is_read_up_to_the_limit() {
        assertThat(IncomingMessage.answer(values(Json.REQUEST_TOKENS_MAX)))
                .isInstanceOf(IncomingMessage.Response.class);
        assertThat(IncomingMessage.answer(values(Json.ANSWER_TOKENS_MAX - 20)))
                .isInstanceOf(IncomingMessage.Response.class);
        assertThatThrownBy(() -> IncomingMessage.answer(values(Json.ANSWER_TOKENS_MAX)))
                .isInstanceOf(ProtocolError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "7",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":NaN}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\\ud800\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}} {}",
                "{\"jsonrpc\":\"2.0\",\"result\":{}}",
            })
    void what_is_no_message_is_refused(String text) {
        assertThatThrownBy(() -> IncomingMessage.answer(text.getBytes(UTF_8)))
                .isInstanceOf(ProtocolError.class);
    }

    @Test
    void text_that_only_looks_like_utf_8_is_refused() {
        var before = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"".getBytes(UTF_8);
        for (var wrong : new byte[][] {{(byte) 0xc0, (byte) 0xaf}, {(byte) 0xff}, {(byte) 0xc3}}) {
            var bytes = new byte[before.length + wrong.length + 2];
            System.arraycopy(before, 0, bytes, 0, before.length);
            System.arraycopy(wrong, 0, bytes, before.length, wrong.length);
            bytes[bytes.length - 2] = '"';
            bytes[bytes.length - 1] = '}';
            assertThatThrownBy(() -> IncomingMessage.answer(bytes))
                    .isInstanceOf(ProtocolError.class);
        }
    }
}
