package dev.caisson.rest.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ReplyMode;
import dev.caisson.rest.route.RouteRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Order of a run over REST: the arguments, and how to have the result.
///
/// @param arguments of the tool
/// @param webhook where the result is sent
/// @param key says that this is the same request as another with the same key
public record RunOrder(
        ObjectNode arguments,
        RunFormat format,
        boolean async,
        Optional<String> webhook,
        Optional<String> key) {
    static final String WEBHOOK_MEMBER = "webhook_url";

    /// The member of a body that asks for the same as the preference does.
    private static final String BACKGROUND = "background";

    public static final String KEY_HEADER = "Idempotency-Key";
    static final String PREFERENCE = "respond-async";
    static final int KEY_LENGTH_MAX = 255;

    /// @throws Refusal INVALID_ARGUMENT for headers that make no sense
    static RunOrder of(RouteRequest ask) {
        var arguments = ask.body().deepCopy();
        var webhook = Optional.ofNullable(arguments.remove(WEBHOOK_MEMBER)).map(RunOrder::text);
        var async = prefersAsync(ask) || arguments.path(BACKGROUND).asBoolean(false);
        if (webhook.isPresent() && !async) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "webhook_url is for results that come later: add the header Prefer:"
                            + " respond-async, or background: true.",
                    Map.of("parameter", WEBHOOK_MEMBER));
        }
        return new RunOrder(arguments, RunFormat.of(ask.exchange()), async, webhook, key(ask));
    }

    ReplyMode delivery() {
        if (async) {
            return webhook.isPresent() ? ReplyMode.WEBHOOK : ReplyMode.ASYNC;
        }
        return format == RunFormat.JSON ? ReplyMode.INLINE : ReplyMode.STREAMING;
    }

    /// Whether somebody hears of the execution, or keeps its id, before it is over.
    boolean isFollowed() {
        return delivery() != ReplyMode.INLINE || key.isPresent();
    }

    private static String text(JsonNode node) {
        if (!node.isString()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "webhook_url must be a text.",
                    Map.of("parameter", WEBHOOK_MEMBER));
        }
        return node.stringValue();
    }

    private static boolean prefersAsync(RouteRequest ask) {
        return ask.exchange().headers("Prefer").stream()
                .flatMap(header -> Arrays.stream(header.split("[,;]", -1)))
                .anyMatch(preference -> preference.strip().equalsIgnoreCase(PREFERENCE));
    }

    private static Optional<String> key(RouteRequest ask) {
        return ask.exchange()
                .header(KEY_HEADER)
                .map(key -> {
                    if (key.isEmpty()
                            || key.length() > KEY_LENGTH_MAX
                            || !key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                        throw new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "An Idempotency-Key has 1 to "
                                        + KEY_LENGTH_MAX
                                        + " visible ASCII characters.",
                                Map.of("parameter", KEY_HEADER));
                    }
                    return key;
                });
    }
}
