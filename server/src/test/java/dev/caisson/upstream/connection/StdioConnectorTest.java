package dev.caisson.upstream.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The era of a process is found out, also of one that is slow, ends on words it does not know, or
/// writes nothing of use.
@Timeout(120)
class StdioConnectorTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String PYTHON = "python3";

    private final List<Process> processes = new CopyOnWriteArrayList<>();

    /// A server in a few lines: what it does with `server/discover` and with `initialize`.
    private static final String SERVER =
            """
            import json, sys, time, os
            modern, legacy, delay = sys.argv[1], sys.argv[2], float(sys.argv[3])
            time.sleep(delay)
            def say(id, **more): print(json.dumps({'jsonrpc': '2.0', 'id': id, **more}), flush=True)
            for line in sys.stdin:
                m = json.loads(line)
                if 'id' not in m: continue
                method = m.get('method')
                if method == 'server/discover':
                    if modern == 'yes':
                        say(m['id'], result={'resultType': 'complete', 'supportedVersions': ['2026-07-28'], 'capabilities': {'tools': {}}})
                    elif modern == 'exits': os._exit(1)
                    elif modern == 'no': say(m['id'], error={'code': -32601, 'message': 'Method not found'})
                elif method == 'initialize' and legacy == 'yes':
                    say(m['id'], result={'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'old', 'version': '1'}})
                elif method == 'tools/call': say(m['id'], result={'content': [{'type': 'text', 'text': 'ok'}]})
                else: say(m['id'], error={'code': -32601, 'message': 'Method not found'})
            """;

    private StdioConnector connector(String modern, String legacy, String delay) {
        return connector(List.of(PYTHON, "-c", SERVER, modern, legacy, delay));
    }

    private StdioConnector connector(List<String> command) {
        return new StdioConnector(
                "it", () -> start(command), 1 << 20, new ReadBudget(1 << 20), false);
    }

    private StdioProcess start(List<String> command) {
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            processes.add(process);
            return new StdioProcess() {
                @Override
                public OutputStream in() {
                    return process.getOutputStream();
                }

                @Override
                public InputStream out() {
                    return process.getInputStream();
                }

                @Override
                public String recentErrors() {
                    return "";
                }

                @Override
                public void stop() {
                    process.destroyForcibly();
                }
            };
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void spoken(StdioConnector connector, Era era) throws Exception {
        try (var connection = connector.connect(Optional.empty(), Deadline.in(SOON))) {
            assertThat(connection.about().era()).isEqualTo(era);
            var result =
                    connection.callTool(
                            "run", Json.object(), CallOptions.reading(Deadline.in(SOON)));
            assertThat(result.content().path(0).path("text").stringValue("")).isEqualTo("ok");
        }
        for (var process : processes) {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "one of the newest era, yes, no, 0, MODERN, 1",
        "one that speaks both, yes, yes, 0, MODERN, 1",
        "one that refuses the newest words, no, yes, 0, LEGACY, 1",
        "one that says nothing to them, silent, yes, 0, LEGACY, 1",
        "one that ends on them, exits, yes, 0, LEGACY, 2",
        "one of the newest era that is slow to start, yes, no, 4, MODERN, 1",
        "one that is slow and ends on them, exits, yes, 4, LEGACY, 2",
    })
    void each_is_spoken_to_in_its_newest_era(
            String who, String newest, String older, String delay, Era era, int starts)
            throws Exception {
        spoken(connector(newest, older, delay), era);
        assertThat(processes).as(who).hasSize(starts);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "one that knows the newest words alone now, LEGACY, yes, no, MODERN",
        "one that ends on the newest words now, MODERN, exits, yes, LEGACY",
        "one that refuses the newest words now, MODERN, no, yes, LEGACY",
        "one as it was, LEGACY, yes, yes, LEGACY",
    })
    void one_that_speaks_another_era_than_before_is_reached(
            String who, Era before, String newest, String older, Era now) throws Exception {
        try (var connection =
                connector(newest, older, "0").connect(Optional.of(before), Deadline.in(SOON))) {
            assertThat(connection.about().era()).as(who).isEqualTo(now);
        }
    }

    @Test
    void one_that_speaks_nothing_fails_in_time() {
        var failure =
                catchThrowableOfType(
                        UpstreamFailure.class,
                        () ->
                                connector(List.of("cat"))
                                        .connect(
                                                Optional.empty(),
                                                Deadline.in(Duration.ofSeconds(5))));
        assertThat(failure.sentence()).startsWith("The upstream it ");
        assertThat(processes)
                .allSatisfy(each -> assertThat(each.waitFor(30, TimeUnit.SECONDS)).isTrue());
    }

    @Test
    void one_that_ends_at_once_fails_at_once() {
        var failure =
                catchThrowableOfType(
                        UpstreamFailure.class,
                        () ->
                                connector(List.of("true"))
                                        .connect(Optional.empty(), Deadline.in(SOON)));
        assertThat(failure.sentence()).contains("ended");
    }
}
