package dev.caisson.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.RecordCopy;
import dev.caisson.rpc.Params;
import dev.caisson.workflow.FakeProcesses;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What clients may make us remember of URIs: how long one is, and how many of one caller.
class SubscriptionLimitsTest {
    private static final String LONGEST = "x:" + "u".repeat(Params.URI_BYTES_MAX - 2);

    @Test
    void a_uri_of_exactly_the_limit_is_accepted_and_one_byte_more_refused() throws Exception {
        try (var server = new TestServer()) {
            var alice = new TestClient(server, "alice");
            alice.initialize();
            for (var method : new String[] {"resources/subscribe", "resources/unsubscribe"}) {
                var most = alice.answer(alice.legacy("1", method, uri(LONGEST)));
                assertThat(most.path("result").isObject()).as(most.toString()).isTrue();
                assertRefused(alice.legacy("2", method, uri(LONGEST + "u")), alice);
            }
            // Bytes count, not letters.
            var wide = "x:" + "\u00e9".repeat(Params.URI_BYTES_MAX / 2);
            assertRefused(alice.legacy("3", "resources/subscribe", uri(wide)), alice);
            assertRefused(alice.legacy("4", "resources/read", uri(LONGEST + "u")), alice);
        }
    }

    private static void assertRefused(HttpRequest.Builder request, TestClient client)
            throws Exception {
        assertThat(client.answer(request).at("/error/message").asString())
                .contains("params.uri must be at most 8192 bytes long");
    }

    @Test
    void a_caller_with_its_share_of_subscriptions_is_told_so_and_another_has_its_turn()
            throws Exception {
        var limits = RecordCopy.with(McpLimits.DEFAULT, "subscriptions.bytes", 64L << 10);
        try (var server = new TestServer(new FakeProcesses(), limits)) {
            var alice = new TestClient(server, "alice");
            alice.initialize();
            int accepted = 0;
            var answer = subscribe(alice, accepted);
            while (answer.has("result")) {
                accepted++;
                answer = subscribe(alice, accepted);
            }
            assertThat(accepted).isBetween(1, 8);
            assertThat(answer.toString()).contains("bytes of memory for subscriptions");
            var bob = new TestClient(server, "bob");
            bob.initialize();
            assertThat(subscribe(bob, 0).has("result")).isTrue();
            alice.answer(alice.legacy("1", "resources/unsubscribe", uri(numbered(0))));
            assertThat(subscribe(alice, 99).has("result")).isTrue();
        }
    }

    private static JsonNode subscribe(TestClient client, int number) throws Exception {
        return client.answer(client.legacy("1", "resources/subscribe", uri(numbered(number))));
    }

    private static String numbered(int number) {
        return "x:" + number + "/" + "u".repeat(Params.URI_BYTES_MAX - 20);
    }

    private static String uri(String uri) {
        return "\"uri\":\"" + uri + "\"";
    }
}
