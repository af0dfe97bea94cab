package dev.caisson.acceptance;

import dev.caisson.acceptance.judge.Repository;
import dev.caisson.acceptance.transcript.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Server with the tools that suites call, in another process. One program runs all servers that a
/// test process starts, because a server is cheap and a virtual machine is not.
public final class FixtureServer implements Subject, AutoCloseable {
    /// What differs between the servers the tests need.
    public enum Setting {
        /// For everybody on this machine.
        OPEN("open"),
        KEYS("keys"),
        /// With limits a short transcript can reach.
        SMALL("small");

        private final String word;

        Setting(String word) {
            this.word = word;
        }
    }

    /// Started when it is first used, and only then. It ends with this process, which ends its
    /// input.
    private static final class Program {
        private static final JavaProgram PROGRAM = start();

        private static JavaProgram start() {
            try {
                return JavaProgram.start(
                        JavaProgram.command(
                                Repository.fixtureClassPath(),
                                "dev.caisson.fixture.FixtureServers"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static synchronized String ask(String line) {
            try {
                return PROGRAM.ask(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final int port;
    private final Map<String, String> keys = new TreeMap<>();

    private FixtureServer(Setting setting, int port) {
        var started = Json.parse(Program.ask("start " + setting.word + " " + port));
        this.port = started.path("port").asInt();
        started.path("keys").forEachEntry((name, secret) -> keys.put(name, secret.stringValue()));
    }

    public static FixtureServer start(Setting setting) {
        return start(setting, 0);
    }

    /// @param port 0 takes any free one
    public static FixtureServer start(Setting setting, int port) {
        return new FixtureServer(setting, port);
    }

    /// The command that serves one client over standard input and output.
    static List<String> stdio() {
        return JavaProgram.command(
                Repository.fixtureClassPath(), "dev.caisson.fixture.StdioServer");
    }

    @Override
    public int port() {
        return port;
    }

    /// By the name the suites want to see.
    public URI endpoint() {
        return URI.create("http://localhost:" + port + "/mcp");
    }

    @Override
    public String key(String name) {
        return keys.getOrDefault(name, "none-needed");
    }

    @Override
    public void close() {
        Program.ask("stop " + port);
    }
}
