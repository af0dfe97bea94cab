package dev.caisson.rest.tools;

import dev.caisson.http.Exchange;
import java.util.Optional;
import java.util.regex.Pattern;

/// Cookie that binds the way through an authorization server to one browser. Its prefix has
/// browsers take it from this very host alone, for all of it, and send it only where nobody
/// listens.
public final class ConnectCookie {
    private static final String NAME = "__Host-caisson-connect";
    private static final int SECONDS = 600;
    private static final Pattern FOUND =
            Pattern.compile("(?:^|; ?)" + NAME + "=([A-Za-z0-9_-]{1,100})(?:;|$)");

    private ConnectCookie() {}

    static String set(String value) {
        return header(value, SECONDS);
    }

    /// Ends it.
    public static String clear() {
        return header("", 0);
    }

    private static String header(String value, int seconds) {
        return "%s=%s; Path=/; Max-Age=%d; Secure; HttpOnly; SameSite=Lax"
                .formatted(NAME, value, seconds);
    }

    /// What the browser sent.
    public static Optional<String> of(Exchange exchange) {
        var found = FOUND.matcher(exchange.header("Cookie").orElse(""));
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
