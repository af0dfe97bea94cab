package dev.caisson.model;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Sparse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Complaint about an entity that was to be written.
///
/// @param change which change of a transaction, from 1
/// @param given what was given, cut
/// @param near a name that there is
@Sparse
public record Violation(
        int change,
        Optional<String> slot,
        Kind kind,
        String message,
        Optional<String> given,
        Optional<String> near) {
    /// How many are told at once.
    public static final int TOLD_MAX = 50;

    private static final int SHOWN_MAX = 100;

    /// Closed list of what can be wrong.
    public enum Kind {
        NO_CLASS,
        ABSTRACT_CLASS,
        UNKNOWN_SLOT,
        MISSING_REQUIRED,
        INVALID_TYPE,
        CARDINALITY_VIOLATION,
        CONSTRAINT,
        NOT_UNIQUE,
        DANGLING_REF,
        WRONG_REF_CLASS,
        REASON_REQUIRED,
        CUSTOM_VALIDATION,
        VALIDATOR_ERROR;

        /// As clients read it, such as `missing-required`.
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    static Violation of(int change, Kind kind, String message) {
        return new Violation(
                change, Optional.empty(), kind, message, Optional.empty(), Optional.empty());
    }

    static Violation of(int change, String slot, Kind kind, String message) {
        return new Violation(
                change,
                Optional.of(shown(slot)),
                kind,
                message,
                Optional.empty(),
                Optional.empty());
    }

    Violation given(String value) {
        return new Violation(change, slot, kind, message, Optional.of(shown(value)), near);
    }

    Violation near(Optional<String> name) {
        return new Violation(change, slot, kind, message, given, name);
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), SHOWN_MAX));
    }

    /// The refusal of a write.
    ///
    /// @param violations at least one
    static Refusal refusal(List<Violation> violations) {
        var more = violations.size() > 1 ? " (and %d more)".formatted(violations.size() - 1) : "";
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                violations.getFirst().sentence() + more,
                Map.of(
                        "errors",
                        violations.stream().limit(TOLD_MAX).map(Violation::members).toList()));
    }

    private String sentence() {
        return slot.map(name -> name + ": ").orElse("")
                + message
                + near.map("; do you mean %s?"::formatted).orElse("");
    }

    private Map<String, Object> members() {
        var members = new LinkedHashMap<String, Object>();
        members.put("change", change);
        slot.ifPresent(name -> members.put("slot", name));
        members.put("kind", kind.word());
        members.put("message", message);
        given.ifPresent(value -> members.put("given", value));
        near.ifPresent(name -> members.put("near", name));
        return members;
    }
}
