package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.regex.Pattern;

/// Head of a request to a proxy: where its connection goes, and what is sent there first.
///
/// @param first the request as its server expects it, for a plain `http` address; empty for
///   `CONNECT`
record ProxyRequest(String host, int port, String first) {
    /// The longest head that is read.
    static final int HEAD_BYTES_MAX = 16 << 10;

    private static final int HTTP_PORT = 80;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]{1,253}");
    private static final Pattern LINE =
            Pattern.compile("([A-Z]{1,16}) (\\S{1,8000}) HTTP/1\\.[01]");

    /// What nobody can be expected to understand.
    static final class Malformed extends IOException {
        private static final long serialVersionUID = 1L;

        Malformed(String why) {
            super(why);
        }
    }

    static ProxyRequest read(InputStream in) throws IOException {
        var head =
                MessageHead.read(in, HEAD_BYTES_MAX)
                        .orElseThrow(() -> new Malformed("the head of the request has no end"));
        int end = head.indexOf("\r\n");
        var line = LINE.matcher(head.substring(0, Math.max(0, end)));
        if (!line.matches()) {
            throw new Malformed("not a request to a proxy");
        }
        return line.group(1).equals("CONNECT")
                ? connect(line.group(2))
                : forward(line.group(1), line.group(2), head.substring(end + 2));
    }

    private static ProxyRequest connect(String authority) throws Malformed {
        int colon = authority.lastIndexOf(':');
        if (colon < 0) {
            throw new Malformed("CONNECT needs a host and a port");
        }
        return new ProxyRequest(
                host(authority.substring(0, colon)), port(authority.substring(colon + 1)), "");
    }

    /// One request for each connection: what follows it on the same one goes to the same host.
    private static ProxyRequest forward(String method, String target, String fields)
            throws Malformed {
        URI address;
        try {
            address = URI.create(target);
        } catch (IllegalArgumentException malformed) {
            throw new Malformed("not an address: it cannot be read");
        }
        if (!"http".equals(address.getScheme()) || address.getHost() == null) {
            throw new Malformed("only CONNECT and http addresses go through here");
        }
        var query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        var path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        var own = MessageHead.endToEnd(fields);
        var first = method + " " + path + query + " HTTP/1.1\r\nConnection: close\r\n" + own;
        return new ProxyRequest(
                host(address.getHost()),
                address.getPort() < 0 ? HTTP_PORT : address.getPort(),
                first + "\r\n");
    }

    private static String host(String text) throws Malformed {
        if (!HOST.matcher(text).matches()) {
            throw new Malformed("not a host");
        }
        return text;
    }

    private static int port(String text) throws Malformed {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
            throw new Malformed("not a port");
        }
        return Integer.parseInt(text);
    }
}
