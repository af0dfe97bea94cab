package dev.caisson.egress;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Destination on the network: a host, by name or address, and one port of it.
public record Destination(String host, int port) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;
    private static final int PORT_MAX = 65_535;
    private static final Pattern WORD = Pattern.compile("([A-Za-z0-9._-]{1,253})(?::(\\d{1,5}))?");

    public Destination {
        host = host.toLowerCase(Locale.ROOT);
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("not a port: " + port);
        }
    }

    /// Where an address leads: the port it names, else the usual one of its scheme; empty without a
    /// host.
    public static Optional<Destination> of(URI address) {
        int port = address.getPort();
        return Optional.ofNullable(address.getHost())
                .map(host ->
                        new Destination(
                                host,
                                port > 0
                                        ? port
                                        : "http".equals(address.getScheme()) ? HTTP : HTTPS));
    }

    /// From a word such as `files.example` or `files.example:8443`; port 443 unless it names one.
    ///
    /// @throws IllegalArgumentException when it is none
    public static Destination of(String word) {
        var parts = WORD.matcher(word);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a host: " + word);
        }
        var port = parts.group(2);
        return new Destination(parts.group(1), port == null ? HTTPS : Integer.parseInt(port));
    }
}
