package dev.caisson.mcp.server;

import dev.caisson.broker.ResourceSource;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Page of a list, with a cursor for the next one. A cursor names the list and how much of it was
/// seen; to a client it is opaque.
final class CursorPage {
    private static final Pattern CURSOR = Pattern.compile("(?s)([a-zA-Z]+):(.+)");

    private CursorPage() {}

    /// @param member the list's name in the result
    static <T> ObjectNode of(
            String member,
            List<T> all,
            Optional<String> cursor,
            int size,
            Function<T, ObjectNode> json) {
        int from = cursor.map(text -> start(member, text, all.size())).orElse(0);
        int to = Math.min(all.size(), from + size);
        var next = to < all.size() ? Optional.of(Integer.toString(to)) : Optional.<String>empty();
        return of(member, all.subList(from, to), next, json);
    }

    /// A page of resources, which their sources cut.
    ///
    /// @param list gives the page that follows a place
    static ObjectNode of(
            String member,
            Optional<String> cursor,
            Function<Optional<String>, ResourceSource.Page> list,
            Function<ResourceSource.Resource, ObjectNode> json) {
        try {
            var page = list.apply(cursor.map(text -> place(member, text)));
            return of(member, page.resources(), page.next(), json);
        } catch (Refusal refusal) {
            throw refusal.reason() == Reason.MALFORMED ? bad() : refusal;
        }
    }

    private static <T> ObjectNode of(
            String member, List<T> items, Optional<String> next, Function<T, ObjectNode> json) {
        var result = Json.object();
        var array = result.putArray(member);
        items.forEach(item -> array.add(json.apply(item)));
        next.ifPresent(place -> result.put("nextCursor", cursor(member, place)));
        return result;
    }

    static String cursor(String member, int seen) {
        return cursor(member, Integer.toString(seen));
    }

    private static String cursor(String member, String place) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((member + ":" + place).getBytes(StandardCharsets.UTF_8));
    }

    /// Where a list goes on, according to a cursor.
    ///
    /// @throws Refusal MALFORMED when it is no cursor of this list
    static String place(String member, String cursor) {
        var matcher = CURSOR.matcher(decoded(cursor));
        if (!matcher.matches() || !matcher.group(1).equals(member)) {
            throw bad();
        }
        return matcher.group(2);
    }

    private static int start(String member, String cursor, int size) {
        var place = place(member, cursor);
        if (!place.matches("[0-9]{1,9}") || Integer.parseInt(place) > size) {
            throw bad();
        }
        return Integer.parseInt(place);
    }

    private static String decoded(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad();
        }
    }

    private static Refusal bad() {
        return new Refusal(
                Reason.MALFORMED,
                "params.cursor is not a cursor of this server; start again without it",
                Map.of("member", "params.cursor"));
    }
}
