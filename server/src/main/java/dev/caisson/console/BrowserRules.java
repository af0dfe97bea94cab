package dev.caisson.console;

import java.util.Map;
import java.util.TreeMap;

/// Security headers of the console: what a browser may do with its pages. Scripts and styles come
/// from this server as files and from nowhere else, no text ever becomes markup (trusted types),
/// pictures are files of ours or were made by the page from bytes it fetched, and no other page may
/// frame it.
final class BrowserRules {
    private static final String CONTENT_SECURITY_POLICY =
            String.join(
                    "; ",
                    "default-src 'none'",
                    "script-src 'self'",
                    "style-src 'self'",
                    "img-src 'self' blob:",
                    "connect-src 'self'",
                    "base-uri 'none'",
                    "form-action 'none'",
                    "frame-ancestors 'none'",
                    "require-trusted-types-for 'script'",
                    "trusted-types 'none'");

    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy", CONTENT_SECURITY_POLICY,
                    "X-Content-Type-Options", "nosniff",
                    "X-Frame-Options", "DENY",
                    "Referrer-Policy", "no-referrer",
                    "Cross-Origin-Opener-Policy", "same-origin",
                    "Cross-Origin-Resource-Policy", "same-origin",
                    "Permissions-Policy", "camera=(), geolocation=(), microphone=()");

    private BrowserRules() {}

    /// All headers of an answer of the console.
    static Map<String, String> with(String mediaType, String caching) {
        var headers = new TreeMap<>(HEADERS);
        headers.put("Content-Type", mediaType);
        headers.put("Cache-Control", caching);
        return headers;
    }
}
