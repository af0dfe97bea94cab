package dev.caisson.mcp;

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

/// Cuts a list into pages. A cursor names the list and how much of it was seen; to a client it is
/// opaque.
final class Page {
    private static final Pattern CURSOR = Pattern.compile("([a-zA-Z]+):([0-9]{1,9})");

    private Page() {}

    /// @param member the list's name in the result
    static <T> ObjectNode of(
            String member,
            List<T> all,
            Optional<String> cursor,
            int size,
            Function<T, ObjectNode> json) {
        int from = cursor.map(text -> start(member, text, all.size())).orElse(0);
        int to = Math.min(all.size(), from + size);
        var result = Json.object();
        var array = result.putArray(member);
        for (var item : all.subList(from, to)) {
            array.add(json.apply(item));
        }
        if (to < all.size()) {
            result.put("nextCursor", cursor(member, to));
        }
        return result;
    }

    static String cursor(String member, int seen) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((member + ":" + seen).getBytes(StandardCharsets.US_ASCII));
    }

    private static int start(String member, String cursor, int size) {
        var matcher = CURSOR.matcher(decoded(cursor));
        if (!matcher.matches() || !matcher.group(1).equals(member)) {
            throw bad();
        }
        int start = Integer.parseInt(matcher.group(2));
        if (start > size) {
            throw bad();
        }
        return start;
    }

    private static String decoded(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            throw bad();
        }
    }

    private static Refusal bad() {
        return new Refusal(
                Reason.MALFORMED,
                "params.cursor is not one of ours; start again without it",
                Map.of("member", "params.cursor"));
    }
}
