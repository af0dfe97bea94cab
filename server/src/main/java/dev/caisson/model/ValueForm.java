package dev.caisson.model;

import dev.caisson.json.Json;
import java.math.BigDecimal;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Canonical form of values: of each value of a datatype there is one form, in which it is stored,
/// compared and shown, and which reading its own text gives again.
final class ValueForm {
    static final int STRING_MAX = 1_000;
    static final int URI_MAX = 2_000;
    static final int JSON_BYTES_MAX = 64 << 10;

    /// How long a handle of another entity may be.
    static final int HANDLE_MAX = 200;

    private static final int PATH_MAX = 4_096;
    private static final int WHOLE_DIGITS_MAX = 18;
    private static final int YEAR_MAX = 9999;
    private static final Pattern UUID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final Set<String> FILE_SOURCES = Set.of("thread", "volume");
    private static final Set<String> FILE_MEMBERS = Set.of("source", "id", "path", "hash");

    private ValueForm() {}

    /// What a value of a datatype looks like, for messages.
    static String expected(Datatype type) {
        return switch (type) {
            case STRING -> "a text of at most %d characters".formatted(STRING_MAX);
            case TEXT -> "a text";
            case INTEGER -> "a whole number of 64 bits";
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case DATE -> "a day such as 2026-01-31";
            case DATETIME -> "a moment such as 2026-01-31T12:00:00Z";
            case UUID -> "a UUID";
            case URI -> "an absolute URI of at most %d characters".formatted(URI_MAX);
            case ENUM -> "a word";
            case REF -> "the id or ident of an entity, or {\"id\":…} or {\"ident\":…}";
            case FILE -> "{\"source\":\"thread\" or \"volume\",\"id\":…,\"path\":…}";
            case JSON -> "JSON of at most %d bytes".formatted(JSON_BYTES_MAX);
        };
    }

    /// @return empty when it is no value of the datatype
    static Optional<JsonNode> of(Datatype type, JsonNode value) {
        return switch (type) {
            case STRING, ENUM -> text(value, STRING_MAX);
            case TEXT -> text(value, Integer.MAX_VALUE);
            case INTEGER -> whole(value);
            case NUMBER -> number(value);
            case BOOLEAN -> value.isBoolean() ? Optional.of(value) : Optional.empty();
            case DATE -> day(value);
            case DATETIME -> moment(value);
            case UUID ->
                    text(value, STRING_MAX)
                            .map(text -> text.stringValue().toLowerCase(Locale.ROOT))
                            .filter(text -> UUID.matcher(text).matches())
                            .map(Json::tree);
            case URI -> text(value, URI_MAX).filter(text -> isUri(text.stringValue()));
            case REF -> handle(value);
            case FILE -> isFile(value) ? Optional.of(value) : Optional.empty();
            case JSON -> isSmall(value) ? Optional.of(value) : Optional.empty();
        };
    }

    /// NUL is in no text, because not every database can keep it.
    private static Optional<JsonNode> text(JsonNode value, int max) {
        return value.isString()
                        && value.stringValue().length() <= max
                        && value.stringValue().indexOf('\0') < 0
                        && Json.isWritable(value)
                ? Optional.of(value)
                : Optional.empty();
    }

    private static Optional<JsonNode> whole(JsonNode value) {
        if (!value.isNumber()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.parse(Long.toString(value.decimalValue().longValueExact())));
        } catch (ArithmeticException notWhole) {
            return Optional.empty();
        }
    }

    private static Optional<JsonNode> number(JsonNode value) {
        if (!value.isNumber() || !Double.isFinite(value.decimalValue().doubleValue())) {
            return Optional.empty();
        }
        var exact = value.decimalValue();
        var plain = exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
        var isShortWhole =
                plain.scale() <= 0 && plain.precision() - plain.scale() <= WHOLE_DIGITS_MAX;
        return Optional.of(Json.parse(isShortWhole ? plain.toPlainString() : plain.toString()));
    }

    private static Optional<JsonNode> day(JsonNode value) {
        if (!value.isString()) {
            return Optional.empty();
        }
        try {
            var day = LocalDate.parse(value.stringValue());
            return isYear(day.getYear())
                    ? Optional.of(Json.tree(day.toString()))
                    : Optional.empty();
        } catch (DateTimeException wrong) {
            return Optional.empty();
        }
    }

    private static Optional<JsonNode> moment(JsonNode value) {
        if (!value.isString()) {
            return Optional.empty();
        }
        try {
            var moment =
                    OffsetDateTime.parse(value.stringValue()).withOffsetSameInstant(ZoneOffset.UTC);
            return isYear(moment.getYear())
                    ? Optional.of(Json.tree(text(moment.toInstant())))
                    : Optional.empty();
        } catch (DateTimeException wrong) {
            return Optional.empty();
        }
    }

    private static boolean isYear(int year) {
        return year >= 0 && year <= YEAR_MAX;
    }

    /// A moment as it is shown.
    static String text(Instant moment) {
        return MOMENT.format(moment.truncatedTo(ChronoUnit.MILLIS));
    }

    private static boolean isUri(String text) {
        try {
            return new java.net.URI(text).isAbsolute();
        } catch (URISyntaxException wrong) {
            return false;
        }
    }

    /// Whatever names an entity, as one text. Whether there is one is found out when it is written.
    private static Optional<JsonNode> handle(JsonNode value) {
        var name = value;
        if (value.isObject() && value.size() == 1) {
            name = value.has("id") ? value.path("id") : value.path("ident");
        }
        return text(name, HANDLE_MAX).filter(text -> !text.stringValue().isEmpty());
    }

    private static boolean isFile(JsonNode value) {
        return value.isObject()
                && FILE_MEMBERS.containsAll(List.copyOf(value.propertyNames()))
                && FILE_SOURCES.contains(value.path("source").asString(""))
                && text(value.path("id"), STRING_MAX).isPresent()
                && text(value.path("path"), PATH_MAX).isPresent()
                && (!value.has("hash") || text(value.path("hash"), STRING_MAX).isPresent());
    }

    private static boolean isSmall(JsonNode value) {
        return Json.isWritable(value)
                && Json.text(value).getBytes(StandardCharsets.UTF_8).length <= JSON_BYTES_MAX;
    }
}
