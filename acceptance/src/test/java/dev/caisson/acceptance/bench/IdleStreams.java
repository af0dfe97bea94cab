package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.JavaProgram;
import dev.caisson.acceptance.wire.Connection;
import dev.caisson.acceptance.wire.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What an open stream on which nothing happens costs a server, in resident memory.
final class IdleStreams {
    /// Opened and closed before the first measurement, so that code and pools are there already.
    private static final int WARM_UP = 300;

    private static final String LISTEN =
            """
            {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{\
            "notifications":{"toolsListChanged":true},"_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}\
            """;

    private IdleStreams() {}

    /// @param headers that let us in
    static double kibPerStream(
            JavaProgram server, int port, Map<String, String> headers, int streams)
            throws IOException {
        closeAll(open(port, headers, Math.min(WARM_UP, streams)));
        long before = settledKib(server);
        var open = open(port, headers, streams);
        try {
            return (settledKib(server) - before) / (double) streams;
        } finally {
            closeAll(open);
        }
    }

    private static List<Connection> open(int port, Map<String, String> headers, int streams)
            throws IOException {
        var open = new ArrayList<Connection>();
        for (int i = 0; i < streams; i++) {
            var connection = new Connection(port);
            connection.send(Contest.post(headers, LISTEN));
            var answer = connection.answer();
            if (!answer.isEvents() || Event.next(answer.body()).isEmpty()) {
                throw new IOException("no stream but " + answer.status());
            }
            open.add(connection);
        }
        return open;
    }

    private static void closeAll(List<Connection> open) throws IOException {
        for (var connection : open) {
            connection.close();
        }
    }

    /// Garbage is nobody's stream: it is collected before the resident memory is read.
    private static long settledKib(JavaProgram server) throws IOException {
        server.ask("collect");
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
