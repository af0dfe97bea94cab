package dev.caisson.rest.route;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.http.Exchange;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.Listener;
import dev.caisson.http.Routes;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A download waits for its reader, but not for ever.
@Timeout(60)
class PacedOutputTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /// Far more than all buffers on the way hold.
    private static final int PIECES = 1024;

    private static final int PIECE_BYTES = 64 << 10;

    /// How the answer ended: `whole`, or `gone` when its reader was given up.
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    private Listener listener;

    @BeforeEach
    void start() throws Exception {
        var metrics = new Metrics();
        listener =
                new Listener(
                        HttpSettings.loopback(0),
                        Routes.builder().prefix("/", this::send).build(),
                        metrics,
                        new Faults(metrics));
        listener.start();
    }

    @AfterEach
    void stop() {
        listener.close();
    }

    private void send(Exchange exchange) throws IOException {
        try (var output = new PacedOutput(exchange.stream(200, Map.of()), PATIENCE)) {
            for (var piece = 0; piece < PIECES; piece++) {
                output.write(new byte[PIECE_BYTES]);
            }
            ended.complete("whole");
        } catch (PacedOutput.ReaderGone gone) {
            ended.complete("gone");
        }
    }

    private Socket reader() throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(PIECE_BYTES);
        socket.connect(
                new InetSocketAddress(listener.address().getHost(), listener.address().getPort()));
        socket.getOutputStream()
                .write("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        return socket;
    }

    @Test
    void a_reader_who_takes_nothing_is_given_up_when_patience_ends() throws Exception {
        var began = System.nanoTime();
        try (var socket = reader()) {
            assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo("gone");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(PATIENCE);
            assertThat(taken(socket, Duration.ZERO)).isLessThan((long) PIECES * PIECE_BYTES);
        }
    }

    @Test
    void a_reader_who_pauses_again_and_again_gets_everything() throws Exception {
        var began = System.nanoTime();
        try (var socket = reader()) {
            assertThat(taken(socket, PATIENCE.dividedBy(5)))
                    .isGreaterThanOrEqualTo((long) PIECES * PIECE_BYTES);
            assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo("whole");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(PATIENCE);
        }
    }

    /// Reads to the last chunk, or until the connection ends, with eight pauses.
    private static long taken(Socket socket, Duration pause) throws Exception {
        var all = (long) PIECES * PIECE_BYTES;
        var piece = new byte[PIECE_BYTES];
        var taken = 0L;
        var nextPause = 0L;
        while (taken < all) {
            if (taken >= nextPause) {
                Thread.sleep(pause);
                nextPause += all / 8;
            }
            var read = readOrEnd(socket, piece);
            if (read < 0) {
                return taken;
            }
            taken += read;
        }
        // What frames the content is on top of it.
        return taken;
    }

    private static int readOrEnd(Socket socket, byte[] piece) {
        try {
            return socket.getInputStream().read(piece);
        } catch (IOException reset) {
            return -1;
        }
    }
}
