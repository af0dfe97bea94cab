package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Live sessions over REST: a key sees and ends its own, an operator all.
class RestSessionsTest extends ProductTestCase {
    @Test
    void a_key_lists_and_ends_its_own_and_an_operator_all() throws Exception {
        var other = newKey("other");
        run(other, "theirs");
        run(product.key, "mine");

        var mine = sessions(product.key, "");
        assertThat(mine).hasSize(1);
        assertThat(mine.get(0).path("thread_id").stringValue()).isEqualTo("mine");
        assertThat(mine.get(0).path("language").stringValue()).isEqualTo("bash");
        assertThat(mine.get(0).path("busy").booleanValue()).isFalse();
        assertThat(mine.get(0).path("memory_bytes").longValue()).isPositive();
        assertThat(mine.get(0).path("begun_at").stringValue())
                .isLessThanOrEqualTo(mine.get(0).path("last_used_at").stringValue());
        var theirs = sessions(other, "").get(0);
        assertThat(theirs.path("caller").stringValue()).isEqualTo("other");
        assertThat(sessions(product.key, "?all=true")).hasSize(2);
        assertThat(send(other, "GET", "/v1/sessions?all=true").statusCode()).isEqualTo(403);

        var id = theirs.path("id").stringValue();
        var own = mine.get(0).path("id").stringValue();
        assertThat(send(other, "DELETE", "/v1/sessions/" + own).statusCode()).isEqualTo(404);
        assertThat(send(other, "DELETE", "/v1/sessions/" + own + "?all=true").statusCode())
                .isEqualTo(403);
        assertThat(send(product.key, "DELETE", "/v1/sessions/" + id).statusCode()).isEqualTo(404);
        assertThat(send(product.key, "DELETE", "/v1/sessions/" + id + "?all=true").statusCode())
                .isEqualTo(204);
        assertThat(send(product.key, "DELETE", "/v1/sessions/" + own).statusCode()).isEqualTo(204);
        assertThat(sessions(product.key, "?all=true")).isEmpty();
        assertThat(run(other, "theirs").path("session").path("reason").stringValue())
                .isEqualTo("it was reset");
        assertThat(run(other, "theirs").path("session").path("state").stringValue())
                .isEqualTo("kept");

        var ledger = product.get("/v1/ledger?tool=session_end").path("entries");
        assertThat(ledger.valueStream().map(each -> each.path("status").stringValue()))
                .containsExactly("success", "success", "refused:not_found", "refused:not_found");
        assertThat(send(other, "DELETE", "/v1/sessions/" + sessionOf(other)).statusCode())
                .isEqualTo(204);
    }

    @Test
    void the_operator_sees_disks_and_sessions_and_metrics_have_what_is_free() throws Exception {
        var status = product.get("/v1/status");
        var disk = status.path("disks").path(0);
        assertThat(disk.path("name").stringValue()).isEqualTo("data");
        assertThat(disk.path("total_bytes").longValue())
                .isGreaterThan(disk.path("free_bytes").longValue());
        assertThat(status.path("sessions").path("memory_bytes").longValue()).isPositive();
        assertThat(product.send(product.request("/metrics")).body())
                .contains("caisson_disk_free_bytes{directory=\"data\"} ")
                .contains("caisson_disk_bytes{directory=\"data\"} ");
    }

    private String sessionOf(String key) throws Exception {
        return sessions(key, "").get(0).path("id").stringValue();
    }

    private JsonNode sessions(String key, String query) throws Exception {
        return Json.parse(send(key, "GET", "/v1/sessions" + query).body()).path("sessions");
    }

    private JsonNode run(String key, String thread) throws Exception {
        var program =
                Json.object()
                        .put("language", "bash")
                        .put("code", "x=1")
                        .put("thread_id", thread)
                        .put("session", true);
        return Json.parse(
                product.send(TestProduct.post(open(key, "/v1/sandbox/execute"), program)).body());
    }

    private String newKey(String name) throws Exception {
        var wanted = Json.object().put("name", name);
        wanted.putArray("scopes").add("run");
        var made = product.send(TestProduct.post(open(product.key, "/v1/keys"), wanted));
        return Json.parse(made.body()).path("secret").stringValue();
    }

    private HttpRequest.Builder open(String key, String path) {
        return product.open(path).header("Authorization", "Bearer " + key);
    }

    private HttpResponse<String> send(String key, String method, String path) throws Exception {
        return product.send(open(key, path).method(method, HttpRequest.BodyPublishers.noBody()));
    }
}
