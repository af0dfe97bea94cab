package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.cli.Caisson;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Of a call that was sent and not answered a person says whether it happened, over REST or on the
/// command line.
@Tag("root")
@Timeout(180)
class UnknownCallsTest {
    @TempDir Path directory;
    private TillUpstream till;
    private TestProduct product;
    private String agent = "";

    @BeforeEach
    void open() throws Exception {
        till = new TillUpstream();
        till.breaks = _ -> true;
        product =
                new TestProduct(
                        directory,
                        "upstreams.private_hosts=127.0.0.1",
                        "environments.bake=false",
                        "policy.default=allow");
        var upstream = Json.object().put("id", "till").put("url", till.url()).put("approve", true);
        assertThat(send(product.key, "POST", "/v1/upstreams", upstream).statusCode())
                .isBetween(200, 201);
        agent = key("agent", "run", "tools");
    }

    @AfterEach
    void close() throws IOException {
        product.close();
        till.close();
    }

    private HttpResponse<String> send(String key, String method, String path, JsonNode body)
            throws Exception {
        return product.send(
                product.open(path)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                method.equals("GET")
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(Json.text(body))));
    }

    private JsonNode unknown(String key) throws Exception {
        return Json.parse(send(key, "GET", "/v1/calls?state=unknown", Json.object()).body())
                .path("calls");
    }

    private String key(String name, String... scopes) throws Exception {
        var wanted = Json.object().put("name", name);
        List.of(scopes).forEach(wanted.putArray("scopes")::add);
        return Json.parse(send(product.key, "POST", "/v1/keys", wanted).body())
                .path("secret")
                .stringValue();
    }

    /// @return its id
    private String pay(int number) throws Exception {
        var body = Json.object();
        body.putObject("arguments").put("number", number);
        var answer = send(agent, "POST", "/v1/tools/till/pay/call", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(502);
        assertThat(answer.body()).contains("\"error\":\"OutcomeUnknown\"", "\"retryable\":false");
        return unknown(agent).path(0).path("id").stringValue();
    }

    private HttpResponse<String> reconcile(String key, String id, boolean happened)
            throws Exception {
        return send(
                key,
                "POST",
                "/v1/calls/" + id + "/reconcile",
                Json.object().put("happened", happened));
    }

    @Test
    void a_person_says_once_whether_it_happened() throws Exception {
        var first = pay(1);
        var second = pay(2);
        assertThat(till.came).as("nothing is sent again").hasSize(2);
        assertThat(first).isEqualTo(till.came.peek().key());
        var other = key("other", "run", "tools");
        assertThat(unknown(other)).isEmpty();
        assertThat(unknown(product.key).findValuesAsString("id")).containsExactly(second, first);
        assertThat(unknown(agent)).isEqualTo(unknown(product.key));

        assertThat(reconcile(agent, first, true).statusCode()).isEqualTo(403);
        assertThat(reconcile(product.key, "exe_none.1", true).statusCode()).isEqualTo(404);
        var done = Json.parse(reconcile(product.key, first, true).body());
        assertThat(done.path("state").stringValue()).isEqualTo("done");
        assertThat(done.path("failed").booleanValue()).isFalse();
        assertThat(done.at("/reconciled/how").stringValue()).isEqualTo("person");
        assertThat(done.at("/reconciled/by").stringValue()).isEqualTo("admin");
        var not = Json.parse(reconcile(product.key, second, false).body());
        assertThat(not.path("state").stringValue()).isEqualTo("not_sent");

        var again = reconcile(product.key, first, false);
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.body()).contains("it is done, by admin");
        assertThat(unknown(product.key)).isEmpty();
        var entries =
                Json.parse(send(product.key, "GET", "/v1/ledger?limit=100", Json.object()).body())
                        .path("entries")
                        .findValuesAsString("tool");
        assertThat(entries).filteredOn("call_reconcile"::equals).hasSize(4);
    }

    @Test
    void pages_are_read_one_after_the_other() throws Exception {
        for (int number = 1; number <= 3; number++) {
            pay(number);
        }
        var whole = unknown(product.key).findValuesAsString("id");
        var found = new ArrayList<String>();
        var cursor = "";
        for (int page = 0; page < 3; page++) {
            var answer =
                    Json.parse(
                            send(product.key, "GET", "/v1/calls?limit=1" + cursor, Json.object())
                                    .body());
            found.addAll(answer.path("calls").findValuesAsString("id"));
            assertThat(answer.path("next_cursor").isNull()).isEqualTo(page == 2);
            cursor = "&cursor=" + answer.path("next_cursor").asString("");
        }
        assertThat(found).isEqualTo(whole).hasSize(3);
        assertThat(send(product.key, "GET", "/v1/calls?state=done", Json.object()).statusCode())
                .isEqualTo(400);
    }

    private String run(int code, String... args) {
        var all = new ArrayList<String>(List.of("calls"));
        all.addAll(List.of(args));
        all.addAll(List.of("--data", directory.resolve("data").toString()));
        var out = new StringWriter();
        var err = new StringWriter();
        assertThat(
                        Caisson.run(
                                new Commands(Clock.systemUTC()),
                                new PrintWriter(out, true),
                                new PrintWriter(err, true),
                                all.toArray(String[]::new)))
                .as(out + err.toString())
                .isEqualTo(code);
        assertThat(out + err.toString()).doesNotContain("Exception");
        return out + err.toString();
    }

    @Test
    void the_command_line_says_it_too() throws Exception {
        assertThat(run(0, "list")).contains("The outcome of every call", "is known");
        var id = pay(7);
        assertThat(run(0, "list")).contains(id, "till.pay", "{\"number\":7}");
        assertThat(run(2, "reconcile", id)).contains("--happened", "--did-not");
        assertThat(run(2, "reconcile", id, "--happened", "--did-not")).contains("--did-not");
        assertThat(run(0, "reconcile", id, "--did-not")).contains("till.pay: it did not happen.");
        assertThat(run(1, "reconcile", id, "--happened")).contains("it is not_sent, by");
        assertThat(unknown(product.key)).isEmpty();
    }
}
