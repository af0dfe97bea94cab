package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.session.SessionLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Runs of a key with a network, and what is told of it.
class NetworkRunTest extends RealToolsTestCase {
    private static final String HOST = "127.0.0.2";

    private HttpServer origin;

    @BeforeAll
    void serve() throws Exception {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(HOST), 0), 0);
        origin.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, 7);
                    exchange.getResponseBody().write("reached".getBytes(StandardCharsets.UTF_8));
                    exchange.close();
                });
        origin.start();
    }

    @AfterAll
    void stop() {
        origin.stop(0);
    }

    private int port() {
        return origin.getAddress().getPort();
    }

    private Caller online() {
        var rule = new NetworkRule(HOST, List.of(port()), List.of(), List.of(), Map.of(), true);
        return Caller.LOCAL.reaching(new NetworkRules(List.of(rule)));
    }

    private String program() {
        return """
        import urllib.error, urllib.request
        for address in ("http://%s:%d/a", "http://elsewhere.example/"):
            try:
                print(urllib.request.urlopen(address, timeout=20).read().decode())
            except OSError as refused:
                print(type(refused).__name__)
        """
                .formatted(HOST, port());
    }

    private JsonNode run(Caller caller, String more) throws Exception {
        var arguments = Json.object().put("language", "python").put("code", program());
        if (!more.isEmpty()) {
            arguments.put("thread_id", more).put("session", true);
        }
        return report(bench.call(FakeCall.by(caller), "sandbox_execute", arguments));
    }

    @Test
    void a_report_says_what_was_asked_of_the_network() throws Exception {
        for (var thread : List.of("", "online")) {
            var report = run(online(), thread);
            assertThat(report.get("stdout").stringValue()).isEqualTo("reached\nHTTPError\n");
            var uses = report.get("network");
            assertThat(uses).hasSize(2);
            var reached = uses.get(0);
            assertThat(reached.get("host").stringValue()).isEqualTo(HOST);
            assertThat(reached.get("port").intValue()).isEqualTo(port());
            assertThat(reached.get("verdict").stringValue()).isEqualTo("allowed");
            assertThat(reached.get("requests").intValue()).isOne();
            assertThat(reached.get("sent").longValue()).isPositive();
            assertThat(reached.get("received").longValue()).isGreaterThan(7);
            assertThat(uses.get(1).get("verdict").stringValue()).isEqualTo("denied");
        }
    }

    @Test
    void a_key_without_a_network_has_none_and_no_record() throws Exception {
        var report = run(Caller.LOCAL, "");
        assertThat(report.get("stdout").stringValue()).isEqualTo("URLError\nURLError\n");
        assertThat(report.path("network").isNull()).isTrue();
    }

    @Test
    void a_server_of_a_plain_user_refuses_and_says_why() throws Exception {
        var files = Files.createDirectory(data.resolve("plain"));
        var plain =
                new ToolBench(
                        files,
                        new FakeRuns(Language.PYTHON),
                        maker(files),
                        Profile.DEFAULT,
                        SessionLimits.DEFAULT);
        var arguments = Json.object().put("language", "python").put("code", "1");
        assertThatThrownBy(() -> plain.call(FakeCall.by(online()), "sandbox_execute", arguments))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("runs as a plain user");
    }
}
