package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// List of the tools of an upstream, page by page, within limits on pages, tools and bytes.
final class ToolPages {
    static final int PAGES_MAX = 100;
    static final int TOOLS_MAX = 2_000;

    /// Of all pages together.
    static final long BYTES_MAX = 8L << 20;

    /// However short a list is said to count, it is not asked for more often.
    static final Duration AGE_MIN = Duration.ofSeconds(30);

    static final Duration AGE_MAX = Duration.ofDays(1);

    private static final int CURSOR_LENGTH_MAX = 4_096;

    private final Ask ask;
    private final List<ObjectNode> tools = new ArrayList<>();
    private final HashSet<String> cursors = new HashSet<>();
    private long bytes;
    private Optional<Duration> age = Optional.empty();

    ToolPages(Ask ask) {
        this.ask = ask;
    }

    /// Gets one page.
    @FunctionalInterface
    interface Source {
        ObjectNode page(ObjectNode params, long bytesMax)
                throws UpstreamFailure, InterruptedException;
    }

    List<ObjectNode> all(Source source) throws UpstreamFailure, InterruptedException {
        var cursor = Optional.<String>empty();
        for (int page = 0; page < PAGES_MAX; page++) {
            var params = Json.object();
            cursor.ifPresent(text -> params.put("cursor", text));
            var result = source.page(params, BYTES_MAX - bytes);
            bytes += Json.bytes(result).length;
            add(result);
            age = least(age, said(result));
            cursor = next(result);
            if (cursor.isEmpty()) {
                return List.copyOf(tools);
            }
        }
        throw failure("has a list of more than %d pages".formatted(PAGES_MAX));
    }

    /// How long the list counts, as far as the upstream says so, within bounds.
    Optional<Duration> age() {
        return age;
    }

    private static Optional<Duration> said(ObjectNode page) {
        var ttl = page.path("ttlMs");
        return ttl.isIntegralNumber()
                ? Optional.of(
                        Duration.ofMillis(
                                Math.clamp(
                                        ttl.asLong(Long.MAX_VALUE),
                                        AGE_MIN.toMillis(),
                                        AGE_MAX.toMillis())))
                : Optional.empty();
    }

    private static Optional<Duration> least(Optional<Duration> one, Optional<Duration> other) {
        return Stream.concat(one.stream(), other.stream()).min(Comparator.naturalOrder());
    }

    private void add(ObjectNode page) throws UpstreamFailure {
        var listed = page.path("tools");
        if (!listed.isArray()) {
            throw failure("sent a list of tools that is none");
        }
        for (var tool : listed) {
            if (!(tool instanceof ObjectNode definition)) {
                throw failure("sent a list of tools that is none");
            }
            tools.add(definition);
        }
        if (tools.size() > TOOLS_MAX) {
            throw failure("has more than %,d tools".formatted(TOOLS_MAX));
        }
        if (bytes > BYTES_MAX) {
            throw failure("has a list of more than %,d bytes".formatted(BYTES_MAX));
        }
    }

    private Optional<String> next(ObjectNode page) throws UpstreamFailure {
        var said = page.path("nextCursor");
        if (said.isMissingNode() || said.isNull()) {
            return Optional.empty();
        }
        var cursor = said.stringValue("");
        if (!said.isString() || cursor.length() > CURSOR_LENGTH_MAX) {
            throw failure("sent a cursor that is none");
        }
        if (!cursors.add(cursor)) {
            throw failure("sent the same cursor twice, so its list has no end");
        }
        return Optional.of(cursor);
    }

    private UpstreamFailure failure(String what) {
        return ask.refused(ToolErrorType.TOOL_FAILED, what);
    }
}
