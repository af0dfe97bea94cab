package dev.caisson.console;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.http.Routes;
import dev.caisson.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// HTTP handler of the web console at `/` and of the REST documents at `/v1/docs`. The pages need
/// no key: they hold nothing but programs; everything the console shows comes over REST with the
/// caller's own key, and the documents show the OpenAPI document, which needs none.
public final class Console {
    /// What the page must know before anybody has signed in.
    private static final String WELCOME = "/console.json";

    private static final String INDEX = "index.html";

    /// The documents of REST, which read the OpenAPI document that is open, too.
    private static final String DOCS = "docs.html";

    private static final String ASSETS = "assets/";

    private final Site site;
    private final byte[] welcome;

    /// @param keysNeeded whether callers need a key
    /// @param version the product's
    public Console(boolean keysNeeded, String version) {
        this(Site.built(), keysNeeded, version);
    }

    Console(Site site, boolean keysNeeded, String version) {
        this.site = site;
        welcome = Json.bytes(Json.object().put("auth", keysNeeded).put("version", version));
    }

    /// Whether there is one: it is not built everywhere.
    public boolean isThere() {
        return !site.isEmpty();
    }

    public Routes.Builder addTo(Routes.Builder routes) {
        return routes.exact("/", reading(exchange -> page(exchange, INDEX)))
                .exact("/v1/docs", reading(exchange -> page(exchange, DOCS)))
                .exact("/icon.svg", reading(exchange -> page(exchange, "icon.svg")))
                .exact(WELCOME, reading(this::welcome))
                .prefix(
                        "/" + ASSETS,
                        reading(exchange -> page(exchange, exchange.path().substring(1))));
    }

    private void welcome(Exchange exchange) {
        exchange.reply(200, BrowserRules.with("application/json", "no-store"), welcome);
    }

    private void page(Exchange exchange, String name) {
        var file = site.find(name).orElseThrow(() -> missing(name));
        var headers = new HashMap<>(BrowserRules.with(file.mediaType(), caching(name)));
        headers.put("ETag", file.tag());
        headers.put("Vary", "Accept-Encoding");
        if (exchange.headers("If-None-Match").contains(file.tag())) {
            exchange.reply(304, headers, new byte[0]);
            return;
        }
        var coding = Coding.best(exchange.headers("Accept-Encoding"), file.codings());
        if (coding != Coding.NONE) {
            headers.put("Content-Encoding", coding.word());
        }
        exchange.reply(200, headers, file.bytes(coding));
    }

    /// The name of an asset changes with its content; the page that names them is asked for anew.
    private static String caching(String name) {
        return name.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache";
    }

    private Refusal missing(String name) {
        return site.isEmpty() && List.of(INDEX, DOCS).contains(name)
                ? new Refusal(
                        Reason.NOT_FOUND,
                        "There is no console: Node 20.19 or later with npm was missing when this"
                                + " server was built. Everything else works.")
                : new Refusal(Reason.NOT_FOUND, "There is nothing at this path.");
    }

    private static Handler reading(Handler handler) {
        return exchange -> {
            switch (exchange.method()) {
                case "GET", "HEAD" -> handler.handle(exchange);
                default -> exchange.reply(405, Map.of("Allow", "GET, HEAD"), new byte[0]);
            }
        };
    }
}
