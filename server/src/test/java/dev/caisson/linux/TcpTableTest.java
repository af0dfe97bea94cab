package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpTableTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void a_connection_is_open_until_its_other_end_closes(String loopback) throws IOException {
        try (var listener = new ServerSocket(0, 1, InetAddress.getByName(loopback))) {
            assertThat(TcpTable.read().listening()).contains(listener.getLocalPort());
            assertOpenUntil(listener, Socket::close);
        }
    }

    @Test
    void one_that_was_reset_is_not_open_either() throws IOException {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertOpenUntil(
                    listener,
                    client -> {
                        client.setSoLinger(true, 0);
                        client.close();
                    });
        }
    }

    private interface Act {
        void on(Socket client) throws IOException;
    }

    private static void assertOpenUntil(ServerSocket listener, Act act) throws IOException {
        var client = new Socket(listener.getInetAddress(), listener.getLocalPort());
        try (var accepted = listener.accept()) {
            var connection = connection(accepted);
            assertThat(TcpTable.read().open()).contains(connection);
            act.on(client);
            await().atMost(PATIENCE).until(() -> !TcpTable.read().open().contains(connection));
        }
    }

    @Test
    void lines_that_say_nothing_are_passed_over() {
        var table = TcpTable.of(Stream.of("", "  1:", "0: 0100007F:1F90 0100007F:C350 08 0"));
        assertThat(table.open()).isEmpty();
        assertThat(table.listening()).isEmpty();
    }

    private static TcpTable.Connection connection(Socket accepted) {
        return new TcpTable.Connection(
                (InetSocketAddress) accepted.getLocalSocketAddress(),
                (InetSocketAddress) accepted.getRemoteSocketAddress());
    }
}
