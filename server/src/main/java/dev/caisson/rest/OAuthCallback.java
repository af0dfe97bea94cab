package dev.caisson.rest;

import dev.caisson.actions.ConnectActions;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.oauth.Authorizations.Returned;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.rest.tools.ConnectCookie;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Page to which an authorization server sends a person back. It says how that went, and no word of
/// anybody else.
public final class OAuthCallback implements Handler {
    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Type", "text/html; charset=utf-8",
                    "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
                    "Cache-Control", "no-store",
                    "Referrer-Policy", "no-referrer",
                    "X-Content-Type-Options", "nosniff",
                    "Set-Cookie", ConnectCookie.clear());

    private final ConnectActions actions;

    public OAuthCallback(ConnectActions actions) {
        this.actions = actions;
    }

    @Override
    public void handle(Exchange exchange) throws InterruptedException {
        exchange.admittedByAddress();
        if (!exchange.method().equals("GET")) {
            exchange.reply(405, Map.of("Allow", "GET"), new byte[0]);
            return;
        }
        try {
            var upstream =
                    actions.finish(
                            new Returned(
                                    exchange.query("state"),
                                    exchange.query("code"),
                                    exchange.query("iss"),
                                    exchange.query("error"),
                                    ConnectCookie.of(exchange)),
                            caller -> RestConversation.byLink(caller, exchange));
            page(exchange, 200, "Connected", "The server " + upstream + " is connected.");
        } catch (Refusal refusal) {
            page(exchange, 400, "Not connected", refusal.sentence());
        }
    }

    private static void page(Exchange exchange, int status, String title, String sentence) {
        var page =
                """
                <!doctype html><html lang="en"><meta charset="utf-8"><title>%s</title>
                <h1>%s</h1><p>%s</p><p><a href="/#/tools/servers">Back to the tools</a></p></html>
                """
                        .formatted(title, title, escaped(sentence));
        exchange.reply(status, HEADERS, page.getBytes(StandardCharsets.UTF_8));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
