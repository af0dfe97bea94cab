package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.Socket;

/// An answer as it came over the wire.
record Reply(int status, String head, String body) {
    static Reply read(Socket socket) throws IOException {
        return of(new String(socket.getInputStream().readAllBytes(), UTF_8));
    }

    static Reply of(String text) {
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            return new Reply(0, "", text);
        }
        return new Reply(
                Integer.parseInt(text.substring(9, 12)),
                text.substring(0, end),
                text.substring(end + 4));
    }
}
