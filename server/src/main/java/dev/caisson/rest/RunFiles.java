package dev.caisson.rest;

import dev.caisson.actions.FileActions;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.rest.route.HttpProblem;
import dev.caisson.storage.Links;
import java.io.IOException;

/// Files of a thread by the address its programs were given as `FILE_BASE_URL`, for everything
/// below `/run-files/`. The address is the authority: no key is asked for. Files can be fetched,
/// and nothing else: no list, no parameters.
public final class RunFiles implements Handler {
    private final Links links;
    private final FileActions actions;

    public RunFiles(Links links, FileActions actions) {
        this.links = links;
        this.actions = actions;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        switch (exchange.method()) {
            case "GET", "HEAD" -> fetch(exchange);
            default -> SignedFiles.reply(exchange, HttpProblem.notAllowed("GET, HEAD").response());
        }
    }

    private void fetch(Exchange exchange) throws IOException, InterruptedException {
        if (exchange.target().indexOf('?') >= 0) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "An address below /run-files/ takes no parameters.");
        }
        var below = links.checkBelow(exchange.path());
        SignedFiles.fetch(exchange, actions, below.link(), below.path());
    }
}
