package dev.caisson.rest;

import dev.caisson.actions.FileActions;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.json.Json;
import dev.caisson.rest.files.ByteRange;
import dev.caisson.rest.files.FileHeaders;
import dev.caisson.rest.route.HttpProblem;
import dev.caisson.rest.route.PacedOutput;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.LinkAddress;
import dev.caisson.storage.Links;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Files by signed links, for everything below `/files/` and `/volumes/`. The link is the
/// authority: no key is asked for.
public final class SignedFiles implements Handler {
    private static final byte[] NOTHING = {};

    private static final List<String> EXPIRING = List.of("exp", "kid", "at", "sig");
    private static final List<String> LASTING = List.of("sig");

    private final FileService desk;
    private final FileActions actions;
    private final Optional<Caller> lastingOwner;

    /// @param lastingOwner whose threads links without expiry lead to; empty when there are none
    public SignedFiles(FileService desk, FileActions actions, Optional<Caller> lastingOwner) {
        this.desk = desk;
        this.actions = actions;
        this.lastingOwner = lastingOwner;
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        switch (exchange.method()) {
            case "GET", "HEAD" -> fetch(exchange);
            case "PUT" -> store(exchange);
            default -> refuseMethod(exchange);
        }
    }

    private static void refuseMethod(Exchange exchange) {
        reply(exchange, HttpProblem.notAllowed("GET, HEAD, PUT").response());
    }

    static void reply(Exchange exchange, Response.Whole problem) {
        var headers = new HashMap<>(problem.headers());
        headers.put("Content-Type", Reply.JSON);
        exchange.reply(problem.status(), headers, problem.body().map(Json::bytes).orElse(NOTHING));
    }

    private LinkAddress address(Exchange exchange) {
        return desk.spaces()
                .readPath(() ->
                        isLasting(exchange)
                                ? LinkAddress.parseLasting(rawPath(exchange))
                                : LinkAddress.parse(exchange.path()))
                .filter(address -> !address.path().isRoot())
                .orElseThrow(() -> new Refusal(Reason.NOT_FOUND, "There is no such file."));
    }

    private boolean isLasting(Exchange exchange) {
        return exchange.query("exp").isEmpty() && lastingOwner.isPresent();
    }

    private static String rawPath(Exchange exchange) {
        var target = exchange.target();
        var query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    private static Links.Presented presented(
            Exchange exchange, LinkAddress address, boolean storing) {
        return new Links.Presented(
                exchange.target(),
                address,
                storing,
                exchange.query("exp"),
                exchange.query("kid"),
                exchange.query("at"),
                exchange.query("sig"));
    }

    private Links.Verified verified(Exchange exchange, Links.Presented presented) {
        requireKnownParameters(exchange);
        return isLasting(exchange)
                ? desk.links().checkLasting(presented, lastingOwner.orElseThrow())
                : desk.links().check(presented);
    }

    /// A link is used as it was made: whoever adds to it means something we would not do.
    private void requireKnownParameters(Exchange exchange) {
        var known = isLasting(exchange) ? LASTING : EXPIRING;
        if (!known.containsAll(exchange.queryNames())) {
            throw new Refusal(
                    Reason.MALFORMED,
                    "A signed link has no parameters but "
                            + String.join(", ", known)
                            + "; use it as it was made.");
        }
    }

    private void fetch(Exchange exchange) throws IOException, InterruptedException {
        var address = address(exchange);
        var link = verified(exchange, presented(exchange, address, false));
        fetch(exchange, actions, link, address.path());
    }

    /// Sends a file by a link that was found good.
    static void fetch(Exchange exchange, FileActions actions, Links.Verified link, FilePath path)
            throws IOException, InterruptedException {
        try {
            actions.download(
                    RestConversation.byLink(actions.maker(link), exchange),
                    link,
                    path,
                    exchange::admittedByLink,
                    (content, counted) -> send(exchange, content, counted));
        } catch (PacedOutput.ReaderGone gone) {
            exchange.note("ended", "the reader left");
        }
    }

    private static void send(
            Exchange exchange, FileContent content, UnaryOperator<OutputStream> counted)
            throws IOException {
        var file = content.file();
        var headers = new HashMap<>(FileHeaders.of(file));
        if (isKnown(exchange, FileHeaders.tag(file))) {
            exchange.reply(304, headers, NOTHING);
            return;
        }
        var range = range(exchange, content);
        if (range.filter(part -> part.length() == 0).isPresent()) {
            headers.put("Content-Range", "bytes */" + file.size());
            exchange.reply(416, headers, NOTHING);
            return;
        }
        range.ifPresent(part -> headers.put("Content-Range", part.of(file.size())));
        var part = range.orElse(new ByteRange(0, file.size()));
        headers.put("Content-Length", Long.toString(part.length()));
        sendPart(exchange, content, range.isPresent() ? 206 : 200, headers, part, counted);
    }

    private static void sendPart(
            Exchange exchange,
            FileContent content,
            int status,
            Map<String, String> headers,
            ByteRange part,
            UnaryOperator<OutputStream> counted)
            throws IOException {
        if (exchange.method().equals("HEAD") || part.length() == 0) {
            exchange.reply(status, headers, NOTHING);
            return;
        }
        try (var output = new PacedOutput(exchange.stream(status, headers))) {
            if (content.copy(part.from(), part.length(), counted.apply(output)) < part.length()) {
                throw new Refusal(Reason.CONFLICT, "The file became shorter while it was read.");
            }
        }
    }

    private static boolean isKnown(Exchange exchange, String tag) {
        return exchange.headers("If-None-Match").stream()
                .anyMatch(known -> known.equals("*") || known.replaceFirst("^W/", "").equals(tag));
    }

    /// A range of another version than the one there is means the whole.
    private static Optional<ByteRange> range(Exchange exchange, FileContent content) {
        var sameVersion =
                exchange.header("If-Range")
                        .map(tag -> tag.equals(FileHeaders.tag(content.file())))
                        .orElse(true);
        return sameVersion
                ? ByteRange.parse(exchange.header("Range"), content.file().size())
                : Optional.empty();
    }

    private void store(Exchange exchange) throws InterruptedException {
        try {
            store(exchange, address(exchange));
        } catch (Refusal refusal) {
            if (refusal.reason() != Reason.CHANGED) {
                throw refusal;
            }
            reply(exchange, Response.error(412, "precondition_failed", refusal.sentence()));
        }
    }

    /// What `If-Match` and `If-None-Match` say must be there: versions by `ETag` or by hash.
    private static Expected expected(Exchange exchange) {
        var none = exchange.headers("If-None-Match");
        var versions =
                exchange.headers("If-Match").stream()
                        .flatMap(header -> Arrays.stream(header.split(",")))
                        .map(String::strip)
                        .toList();
        if (!none.isEmpty() && !(none.equals(List.of("*")) && versions.isEmpty())) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "If-None-Match may only be *, and not beside If-Match.");
        }
        if (!none.isEmpty()) {
            return new Expected.Nothing();
        }
        if (versions.isEmpty()) {
            return Expected.anything();
        }
        return versions.contains("*")
                ? new Expected.Something()
                : new Expected.OneOf(
                        versions.stream()
                                .map(version -> version.replaceAll("^\"|\"$", ""))
                                .collect(Collectors.toSet()));
    }

    private void store(Exchange exchange, LinkAddress address) throws InterruptedException {
        var link = verified(exchange, presented(exchange, address, true));
        var stored =
                actions.upload(
                        RestConversation.byLink(actions.maker(link), exchange),
                        link,
                        address.space(),
                        address.path(),
                        exchange::admittedByLink,
                        () -> expected(exchange),
                        exchange::body);
        var file = stored.file();
        var answer = Json.object().put("path", file.path().text()).put("size", file.size());
        exchange.reply(
                200,
                Map.of("Content-Type", Reply.JSON, "ETag", FileHeaders.tag(file)),
                Json.bytes(answer.put("hash", stored.hash())));
    }
}
