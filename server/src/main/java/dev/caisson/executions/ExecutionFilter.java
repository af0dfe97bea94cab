package dev.caisson.executions;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Filter of a list of executions; what is empty does not matter.
///
/// @param text in the program, whatever its case, or in an id
/// @param from the earliest moment of a start
/// @param until the first moment that is too late
public record ExecutionFilter(
        Optional<String> thread,
        Optional<ExecutionStatus> status,
        Optional<String> language,
        Optional<String> text,
        Optional<Instant> from,
        Optional<Instant> until) {
    public static final ExecutionFilter ALL =
            new ExecutionFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    /// How long a text to look for may be, in characters.
    public static final int TEXT_LENGTH_MAX = 200;

    /// @throws Refusal INVALID_ARGUMENT when the text is too long
    public ExecutionFilter {
        if (text.isPresent() && text.get().length() > TEXT_LENGTH_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A search text has at most " + TEXT_LENGTH_MAX + " characters.");
        }
    }

    private static final String TEXT =
            " AND (p.id LIKE :text ESCAPE '!' OR e.trace_id LIKE :text ESCAPE '!'"
                    + " OR LOWER(e.code) LIKE LOWER(:code) ESCAPE '!')";

    /// Programs are kept in this form.
    private static String inJson(String text) {
        var quoted = Json.text(Json.tree(text));
        return quoted.substring(1, quoted.length() - 1);
    }

    String conditions() {
        return (thread.isPresent() ? " AND e.thread = :thread" : "")
                + (status.isPresent() ? " AND p.state = :status" : "")
                + (language.isPresent() ? " AND e.language = :language" : "")
                + (text.isPresent() ? TEXT : "")
                + (from.isPresent() ? " AND p.created_at >= :from" : "")
                + (until.isPresent() ? " AND p.created_at < :until" : "");
    }

    Map<String, Object> values() {
        var values = new HashMap<String, Object>();
        thread.ifPresent(value -> values.put("thread", ExecutionRows.storable(value)));
        status.ifPresent(value -> values.put("status", value.word()));
        language.ifPresent(value -> values.put("language", value));
        text.ifPresent(value -> values.put("text", "%" + LikePattern.literally(value) + "%"));
        text.ifPresent(
                value -> values.put("code", "%" + LikePattern.literally(inJson(value)) + "%"));
        from.ifPresent(value -> values.put("from", value.toEpochMilli()));
        until.ifPresent(value -> values.put("until", value.toEpochMilli()));
        return values;
    }
}
