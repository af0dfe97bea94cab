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

class TcpTableTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void a_connection_is_open_until_its_other_end_closes() throws IOException {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
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
            var before = TcpTable.read();
            act.on(client);
            assertThat(before.open()).contains(connection);
            await().atMost(PATIENCE).until(() -> !TcpTable.read().open().contains(connection));
        }
    }

    @Test
    void addresses_of_both_families_are_read() {
        var table =
                TcpTable.of(
                        Stream.of(
                                "0: 0100007F:1F90 0201A8C0:C350 01 00000000:00000000",
                                "1: B80D0120000000000000000001000000:01BB B80D0120000000000000000002000000:FFFF 01 0",
                                "2: 0000000000000000FFFF00000100007F:1F90 0000000000000000FFFF00000100007F:0001 01 0",
                                "3: 00000000000000000000000000000000:1F91 00000000000000000000000000000000:0000 0A 0"));
        assertThat(table.open())
                .containsExactlyInAnyOrder(
                        open("127.0.0.1", 8080, "192.168.1.2", 50_000),
                        open("2001:db8::1", 443, "2001:db8::2", 65_535),
                        open("127.0.0.1", 8080, "127.0.0.1", 1));
        assertThat(table.listening()).containsExactly(8081);
    }

    private static TcpTable.Connection open(String local, int at, String remote, int from) {
        return new TcpTable.Connection(
                new InetSocketAddress(local, at), new InetSocketAddress(remote, from));
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
