package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Usage over REST: a key sees its own, an operator that of all.
class UsageOverRestTest extends ProductTestCase {
    private HttpResponse<String> get(String key, String path) throws Exception {
        return product.send(product.open(path).header("Authorization", "Bearer " + key));
    }

    private String newKey(String name) throws Exception {
        var wanted = Json.object().put("name", name);
        wanted.putArray("scopes").add("run");
        var keys = product.open("/v1/keys").header("Authorization", "Bearer " + product.key);
        return Json.parse(product.send(TestProduct.post(keys, wanted)).body())
                .path("secret")
                .stringValue();
    }

    private JsonNode usage(String key, String query) throws Exception {
        var answer = get(key, "/v1/usage" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    @Test
    void a_key_sees_its_own_usage_and_an_operator_all() throws Exception {
        var other = newKey("counted");
        for (int time = 0; time < 3; time++) {
            assertThat(get(other, "/v1/runners").statusCode()).isEqualTo(200);
        }
        assertThat(get(product.key, "/v1/runners").statusCode()).isEqualTo(200);

        var own = usage(other, "?by=key,tool&tool=list_runners").path("usage");
        assertThat(own).hasSize(1);
        assertThat(own.get(0).path("caller").stringValue()).isEqualTo("counted");
        assertThat(own.get(0).path("calls").longValue()).isEqualTo(3);
        assertThat(own.get(0).path("failed").longValue()).isZero();
        assertThat(own.get(0).path("tokens_out").longValue()).isPositive();
        var alone = usage(other, "?caller=nobody&by=total").path("usage").get(0);
        assertThat(alone.path("calls").longValue()).as("a filter for who sees all").isPositive();

        assertThat(get(other, "/v1/usage?all=true").statusCode()).isEqualTo(403);
        var all = usage(product.key, "?all=true&by=total&tool=list_runners").path("usage");
        assertThat(all.get(0).path("calls").longValue()).isGreaterThanOrEqualTo(4);
        var named = usage(product.key, "?all=true&caller=counted&tool=list_runners");
        assertThat(named.path("usage").get(0).path("calls").longValue()).isEqualTo(3);
        assertThat(named.path("complete").booleanValue()).isTrue();
    }

    @Test
    void a_question_that_makes_no_sense_is_refused_by_its_parameter() throws Exception {
        for (var wrong : new String[] {"by=week", "by=day,day", "from=1", "cursor=x"}) {
            var answer = get(product.key, "/v1/usage?" + wrong);
            assertThat(answer.statusCode()).as(wrong).isEqualTo(400);
            assertThat(answer.body()).contains(wrong.substring(0, wrong.indexOf('=')));
        }
        assertThat(get(product.key, "/v1/usage?from=2026-02-01&to=2026-01-01").statusCode())
                .isEqualTo(400);
    }

    @Test
    void pages_follow_each_other() throws Exception {
        assertThat(get(product.key, "/v1/whoami").statusCode()).isEqualTo(200);
        assertThat(get(product.key, "/v1/runners").statusCode()).isEqualTo(200);
        var first = usage(product.key, "?by=tool&limit=1");
        assertThat(first.path("usage")).hasSize(1);
        var seen = usage(product.key, "?by=tool").path("usage").size();
        if (seen > 1) {
            var next = first.path("next_cursor").stringValue();
            assertThat(usage(product.key, "?by=tool&limit=1&cursor=" + next).path("usage"))
                    .hasSize(1);
        }
    }
}
