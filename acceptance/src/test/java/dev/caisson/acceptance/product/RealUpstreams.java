package dev.caisson.acceptance.product;

import dev.caisson.acceptance.judge.NpmPackages;
import dev.caisson.acceptance.judge.Repository;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/// MCP servers that others wrote, from npm, as upstreams of a server under test: those with an
/// address run on this machine, the others are commands that the server under test starts.
final class RealUpstreams implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("^listening on port (\\d+)$");
    private static final String PACKAGES = "node_modules/@modelcontextprotocol/";

    /// Tells the processes of this test from those of others on the machine.
    private final String title = "up-" + UUID.randomUUID();

    private final Path home;
    private final List<Process> processes = new ArrayList<>();
    private final String entries;

    RealUpstreams() throws IOException {
        var sources = Repository.acceptance().resolve("src/test/upstreams");
        var packages = NpmPackages.installed(sources, "upstreams");
        packages.script("modern.mjs");
        packages.script("loopback.mjs");
        home = packages.home();
        entries = entries();
    }

    private String entries() throws IOException {
        var everything = PACKAGES + "server-everything/dist/index.js";
        return """
        everything:
          command: [node, --title=%6$s-everything, %1$s/%2$sserver-everything/dist/index.js, stdio]
          trust: trusted
          show: [%1$s]
          env: {GREETING: "from the operator"}
        everything-http:
          url: http://127.0.0.1:%3$d/mcp
          trust: trusted
        everything-sse:
          url: http://127.0.0.1:%4$d/sse
          trust: trusted
        filesystem:
          command: [node, --title=%6$s-filesystem, %1$s/%2$sserver-filesystem/dist/index.js, /data]
          trust: trusted
          show: [%1$s]
          calls: {write_file: {effect: read}}
        memory:
          command: [node, --title=%6$s-memory, %1$s/%2$sserver-memory/dist/index.js]
          trust: trusted
          show: [%1$s]
          env: {MEMORY_FILE_PATH: /data/memory.json}
          limits: {idle: 2s}
          calls: {create_entities: {effect: read}}
        sequential-thinking:
          command: [node, --title=%6$s-sequential-thinking, %1$s/%2$sserver-sequential-thinking/dist/index.js]
          trust: trusted
          show: [%1$s]
        modern:
          command: [node, --title=%6$s-modern, %1$s/modern.mjs, stdio]
          trust: trusted
          show: [%1$s]
        modern-http:
          url: http://127.0.0.1:%5$d/mcp
          trust: trusted
        """
                .formatted(
                        home,
                        PACKAGES,
                        serving(everything, "streamableHttp"),
                        serving(everything, "sse"),
                        serving("modern.mjs", "http"),
                        title);
    }

    /// Writes the file of upstreams.
    ///
    /// @return what the server is started with
    String[] options(Path directory) throws IOException {
        var file = directory.resolve("upstreams.yaml");
        Files.writeString(file, entries);
        return new String[] {
            "--set",
            "upstreams.file=" + file,
            "--set",
            "upstreams.private_hosts=127.0.0.1",
            "--set",
            "policy.default=deny"
        };
    }

    /// Starts a server.
    ///
    /// @return its port on this machine
    private int serving(String script, String argument) throws IOException {
        var command = List.of("node", "--import", "./loopback.mjs", script, argument);
        var builder = new ProcessBuilder(command).directory(home.toFile());
        var process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        processes.add(process);
        var out = process.inputReader(StandardCharsets.UTF_8);
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            var port = PORT.matcher(line);
            if (port.find()) {
                drain(process);
                return Integer.parseInt(port.group(1));
            }
        }
        throw new IOException(script + " ended before it was ready");
    }

    private static void drain(Process process) {
        Thread.ofVirtual()
                .name("output of a real upstream")
                .start(() -> {
                    try {
                        process.getInputStream().transferTo(OutputStream.nullOutputStream());
                    } catch (IOException ended) {
                        // So has the server.
                    }
                });
    }

    /// Processes of this machine that a server under test has started for an upstream, or for any.
    ///
    /// @param id of the upstream, or nothing
    List<String> alive(String id) throws IOException {
        try (var all = Files.list(Path.of("/proc"))) {
            return all.filter(each -> each.getFileName().toString().matches("\\d+"))
                    .map(RealUpstreams::commandLine)
                    .filter(line -> line.contains(title + "-" + id))
                    .toList();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline")).replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
