package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a server was last time need not be what it is: another era, a session it has forgotten.
@Timeout(120)
final class HttpEraChangeTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final OutgoingHttp http = new OutgoingHttp(Set.of("127.0.0.1"));

    @AfterEach
    void close() {
        http.close();
    }

    private HttpConnector connector(RawHttpServer server) {
        return new HttpConnector(
                "fake",
                http,
                server.address("/mcp"),
                HttpConnector.Kind.AUTO,
                Map.of(),
                1 << 20,
                new ReadBudget(64L << 20),
                false);
    }

    /// A server of one era alone.
    private static RawHttpServer.Handler speaking(Era era) {
        return switch (era) {
            case MODERN ->
                    (request, out) -> {
                        if (request.method().equals("POST")) {
                            HttpConnectorTest.modern(request, out);
                        } else {
                            out.write(RawHttpServer.answer(405, "text/plain", ""));
                        }
                    };
            case LEGACY -> HttpConnectorTest.legacy(false);
            case SSE -> HttpConnectorTest.oldest("/messages?session=1");
        };
    }

    @ParameterizedTest
    @EnumSource
    void whatever_it_spoke_before_it_is_reached_in_what_it_speaks_now(Era now) throws Exception {
        for (var before : Era.values()) {
            try (var server = new RawHttpServer(speaking(now));
                    var connection =
                            connector(server).connect(Optional.of(before), Deadline.in(SOON))) {
                assertThat(connection.about().era()).as("before: " + before).isEqualTo(now);
                connection.callTool("run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
            }
        }
    }

    @Test
    void one_that_wants_other_credentials_is_asked_once() throws Exception {
        try (var server =
                new RawHttpServer(
                        (_, out) -> out.write(RawHttpServer.answer(401, "text/plain", "")))) {
            for (var before : Era.values()) {
                var failure =
                        catchThrowableOfType(
                                UpstreamFailure.class,
                                () ->
                                        connector(server)
                                                .connect(Optional.of(before), Deadline.in(SOON)));
                assertThat(failure.type()).isEqualTo(ToolErrorType.AUTHORIZATION_REQUIRED);
            }
            assertThat(server.requests()).hasSize(Era.values().length);
        }
    }

    /// Forgets its sessions at a call.
    private static RawHttpServer.Handler forgetting(AtomicInteger times, AtomicInteger done) {
        return (request, out) -> {
            boolean call = HttpConnectorTest.method(request).equals("tools/call");
            if (call && times.getAndDecrement() > 0) {
                out.write(RawHttpServer.answer(404, "text/plain", "no such session"));
                return;
            }
            if (call) {
                done.incrementAndGet();
            }
            HttpConnectorTest.legacy(false).answer(request, out);
        };
    }

    private ServerLink link(RawHttpServer server) {
        return new ServerLink(
                new ServerLink.Terms("fake", 8, SOON, Duration.ofMinutes(1), SOON),
                connector(server),
                Optional.of(Era.LEGACY));
    }

    private static List<String> methods(RawHttpServer server) {
        return server.requests().stream()
                .map(HttpConnectorTest::method)
                .filter(method -> !method.equals("DELETE"))
                .toList();
    }

    @Test
    void a_call_on_a_forgotten_session_is_made_once_on_a_new_one() throws Exception {
        var done = new AtomicInteger();
        try (var server = new RawHttpServer(forgetting(new AtomicInteger(1), done));
                var link = link(server)) {
            var result =
                    link.callTool(
                            "a",
                            "run",
                            Json.object(),
                            CallOptions.reading(Deadline.in(SOON)).thatChanges());
            assertThat(result.content().at("/0/text").stringValue()).isEqualTo("ok");
            assertThat(done).hasValue(1);
            assertThat(methods(server))
                    .containsExactly(
                            "initialize",
                            "notifications/initialized",
                            "tools/call",
                            "initialize",
                            "notifications/initialized",
                            "tools/call");
        }
    }

    @Test
    void one_that_forgets_every_session_is_tried_no_third_time() throws Exception {
        var done = new AtomicInteger();
        try (var server = new RawHttpServer(forgetting(new AtomicInteger(9), done));
                var link = link(server)) {
            var failure =
                    catchThrowableOfType(
                            UpstreamFailure.class,
                            () ->
                                    link.callTool(
                                            "a",
                                            "run",
                                            Json.object(),
                                            CallOptions.reading(Deadline.in(SOON)).thatChanges()));
            assertThat(failure.type()).isEqualTo(ToolErrorType.UPSTREAM_UNAVAILABLE);
            assertThat(failure.sentence()).contains("session");
            assertThat(methods(server).stream().filter("tools/call"::equals)).hasSize(2);
            assertThat(done).hasValue(0);
        }
    }
}
