package dev.caisson.rest;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.storage.Links;
import java.io.IOException;

/// Files of a thread by the address its programs were given as `FILE_BASE_URL`, for everything
/// below `/run-files/`. The address is the authority: no key is asked for. Files can be fetched,
/// and nothing else: no list, no parameters.
public final class RunFiles implements Handler {
    private final Links links;

    public RunFiles(Links links) {
        this.links = links;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        switch (exchange.method()) {
            case "GET", "HEAD" -> fetch(exchange);
            default -> SignedFiles.reply(exchange, Problem.notAllowed("GET, HEAD").response());
        }
    }

    private void fetch(Exchange exchange) throws IOException {
        if (exchange.target().indexOf('?') >= 0) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "An address below /run-files/ takes no parameters.");
        }
        try (var below = links.openBelow(exchange.path(), exchange::admittedByLink);
                var content = below.files().read(below.path())) {
            SignedFiles.send(exchange, content);
        } catch (PacedOutput.ReaderGone gone) {
            exchange.note("ended", "the reader left");
        }
    }
}
