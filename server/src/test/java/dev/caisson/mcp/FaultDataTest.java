package dev.caisson.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultDataTest {
    @Test
    void a_fault_of_ours_says_when_to_try_again_in_both_eras() throws Exception {
        try (var server = new TestServer();
                var alice = new TestClient(server, "alice")) {
            for (var request :
                    new java.net.http.HttpRequest.Builder[] {
                        alice.legacyTool("1", "broken"), alice.modernTool("1", "broken")
                    }) {
                var error = alice.answer(request).path("error");
                assertThat(error.path("code").intValue()).isEqualTo(-32603);
                assertThat(error.path("message").stringValue())
                        .contains("fault number")
                        .contains("Try again in 1 s")
                        .doesNotContain("internals");
                var data = error.path("data");
                assertThat(data.path("retryable").booleanValue()).isTrue();
                assertThat(data.path("retry_after_ms").longValue()).isEqualTo(1000);
                assertThat(data.path("fault").stringValue()).isNotEmpty();
            }
        }
    }
}
