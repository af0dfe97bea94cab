package dev.caisson.broker;

import dev.caisson.json.Describe;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// Broken promise of a tool of another server: its result is not of the form that its definition
/// declares. It is handed over all the same, and whoever gets it is told.
///
/// @param complaints where it differs, the first of them
public record BrokenPromise(
        @Describe("Where the result differs from what its tool declares.")
                List<String> complaints) {
    /// The name under which it goes with a result.
    public static final String NAME = "dev.caisson/output_schema";

    static final int COMPLAINTS_MAX = 5;

    public BrokenPromise {
        complaints = List.copyOf(complaints);
    }

    /// A failure need not have a value.
    static Optional<BrokenPromise> of(LazySchema promised, ToolResult result) {
        if (result.failed()) {
            return Optional.empty();
        }
        var value = result.structured().filter(each -> !each.isNull());
        var complaints =
                value.map(each -> complaints(promised, each))
                        .orElse(List.of("there is no structured value"));
        return complaints.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new BrokenPromise(complaints.stream().limit(COMPLAINTS_MAX).toList()));
    }

    private static List<String> complaints(LazySchema promised, JsonNode value) {
        return promised.get().complaints(value);
    }

    static Optional<BrokenPromise> in(ToolResult result) {
        return Optional.ofNullable(result.meta().get(NAME))
                .filter(BrokenPromise.class::isInstance)
                .map(BrokenPromise.class::cast);
    }

    /// The same without secrets: it may name what stands in the result.
    BrokenPromise clean(UnaryOperator<String> redaction) {
        return new BrokenPromise(complaints.stream().map(redaction).toList());
    }

    String sentence() {
        return "The result is not of the form that its tool declares: "
                + String.join("; ", complaints);
    }
}
