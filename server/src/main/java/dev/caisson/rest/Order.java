package dev.caisson.rest;

import dev.caisson.call.Delivery;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What somebody wants of a run: the program, and how to have the result.
///
/// @param arguments of the tool
/// @param webhook where the result is sent
/// @param key says that this is the same request as another with the same key
record Order(
        ObjectNode arguments,
        Format format,
        boolean async,
        Optional<String> webhook,
        Optional<String> key) {
    static final String WEBHOOK_MEMBER = "webhook_url";
    static final String KEY_HEADER = "Idempotency-Key";
    static final String PREFERENCE = "respond-async";
    static final int KEY_LENGTH_MAX = 255;

    /// @throws Refusal INVALID_ARGUMENT for headers that make no sense
    static Order of(Ask ask) {
        var arguments = ask.body().deepCopy();
        var webhook = Optional.ofNullable(arguments.remove(WEBHOOK_MEMBER)).map(Order::text);
        var async = prefersAsync(ask);
        if (webhook.isPresent() && !async) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "webhook_url is for results that come later: add the header Prefer:"
                            + " respond-async.",
                    Map.of("parameter", WEBHOOK_MEMBER));
        }
        return new Order(arguments, Format.of(ask.exchange()), async, webhook, key(ask));
    }

    Delivery delivery() {
        if (async) {
            return webhook.isPresent() ? Delivery.WEBHOOK : Delivery.ASYNC;
        }
        return format == Format.JSON ? Delivery.INLINE : Delivery.STREAMING;
    }

    /// Whether somebody hears of the execution, or keeps its id, before it is over.
    boolean isFollowed() {
        return delivery() != Delivery.INLINE || key.isPresent();
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

    private static boolean prefersAsync(Ask ask) {
        return ask.exchange().headers("Prefer").stream()
                .flatMap(header -> Arrays.stream(header.split("[,;]", -1)))
                .anyMatch(preference -> preference.strip().equalsIgnoreCase(PREFERENCE));
    }

    private static Optional<String> key(Ask ask) {
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
