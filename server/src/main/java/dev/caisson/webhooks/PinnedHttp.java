package dev.caisson.webhooks;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// HTTP client with a pinned address: sends one body to one address and reads the status, nothing
/// more. It connects to the address it is given, whatever the name means by now; it follows no
/// redirect; and it ends in time, however slowly the other side reads or writes.
///
/// The JDK's own client asks for the address of a name by itself, so it cannot promise that.
final class PinnedHttp {
    private static final int STATUS_LINE_MAX = 1024;
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2}).*");

    private final Duration atMost;

    PinnedHttp(Duration atMost) {
        this.atMost = atMost;
    }

    /// @param socket not connected; closing it ends the sending
    /// @return the status
    /// @throws IOException when there is none
    int send(
            Socket socket,
            WebhookUrl target,
            InetAddress address,
            Map<String, String> headers,
            byte[] body)
            throws IOException {
        var watchdog = Thread.ofVirtual().start(() -> closeLater(socket));
        try {
            socket.connect(new InetSocketAddress(address, target.port()), (int) atMost.toMillis());
            return exchange(target.tls() ? secured(socket, target) : socket, target, headers, body);
        } finally {
            watchdog.interrupt();
        }
    }

    private void closeLater(Socket socket) {
        try {
            Thread.sleep(atMost);
            socket.close();
        } catch (InterruptedException | IOException _) {
            // It is over already.
        }
    }

    private static Socket secured(Socket socket, WebhookUrl target) throws IOException {
        var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        var secured = (SSLSocket) factory.createSocket(socket, target.host(), target.port(), true);
        var parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static int exchange(
            Socket socket, WebhookUrl target, Map<String, String> headers, byte[] body)
            throws IOException {
        var head = new StringBuilder();
        head.append("POST ").append(target.path()).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(target.authority()).append("\r\n");
        head.append("User-Agent: Caisson\r\nContent-Type: application/json\r\n");
        head.append("Content-Length: ").append(body.length).append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Connection: close\r\n\r\n");
        var out = socket.getOutputStream();
        out.write(head.toString().getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.flush();
        return status(socket.getInputStream());
    }

    private static int status(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (var next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
            if (line.length() > STATUS_LINE_MAX) {
                break;
            }
        }
        var matcher = STATUS_LINE.matcher(line.toString().strip());
        if (!matcher.matches()) {
            throw new IOException("the answer is not HTTP");
        }
        return Integer.parseInt(matcher.group(1));
    }
}
