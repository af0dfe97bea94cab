package dev.caisson.rest;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.http.Handler;
import dev.caisson.json.Json;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.LinkAddress;
import dev.caisson.storage.Links;
import dev.caisson.tools.FileDesk;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Files by signed links, for everything below `/files/` and `/volumes/`. The link is the
/// authority: no key is asked for.
public final class SignedFiles implements Handler {
    private static final byte[] NOTHING = {};

    private static final List<String> EXPIRING = List.of("exp", "kid", "at", "sig");
    private static final List<String> LASTING = List.of("sig");

    private final FileDesk desk;
    private final Optional<Caller> lastingOwner;

    /// @param lastingOwner whose threads links without expiry lead to; empty when there are none
    public SignedFiles(FileDesk desk, Optional<Caller> lastingOwner) {
        this.desk = desk;
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
        reply(exchange, Problem.notAllowed("GET, HEAD, PUT").response());
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

    private FileTree open(Exchange exchange, Links.Presented presented) {
        requireKnownParameters(exchange);
        return isLasting(exchange)
                ? desk.links()
                        .openLasting(
                                presented, lastingOwner.orElseThrow(), exchange::admittedByLink)
                : desk.links().open(presented, exchange::admittedByLink);
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

    private void fetch(Exchange exchange) throws IOException {
        var address = address(exchange);
        try (var files = open(exchange, presented(exchange, address, false));
                var content = files.read(address.path())) {
            send(exchange, content);
        } catch (PacedOutput.ReaderGone gone) {
            exchange.note("ended", "the reader left");
        }
    }

    static void send(Exchange exchange, FileContent content) throws IOException {
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
        sendPart(exchange, content, range.isPresent() ? 206 : 200, headers, part);
    }

    private static void sendPart(
            Exchange exchange,
            FileContent content,
            int status,
            Map<String, String> headers,
            ByteRange part)
            throws IOException {
        if (exchange.method().equals("HEAD") || part.length() == 0) {
            exchange.reply(status, headers, NOTHING);
            return;
        }
        try (var output = new PacedOutput(exchange.stream(status, headers))) {
            if (content.copy(part.from(), part.length(), output) < part.length()) {
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
        var link = presented(exchange, address, true);
        try (var files = open(exchange, link);
                var upload = files.upload(address.path(), expected(exchange))) {
            exchange.body(upload::write);
            var stored = upload.commit();
            desk.changedAt(
                    Links.place(link),
                    address.space(),
                    List.of(address.path()),
                    () -> List.of(FileEvent.of(stored)));
            var file = stored.file();
            var answer = Json.object().put("path", file.path().text()).put("size", file.size());
            exchange.reply(
                    200,
                    Map.of("Content-Type", Reply.JSON, "ETag", FileHeaders.tag(file)),
                    Json.bytes(answer.put("hash", stored.hash())));
        }
    }
}
