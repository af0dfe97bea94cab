package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.PackageEnvironment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Choice of packages by a request.
///
/// @param environments by name, in the order in which they are looked in; empty for the usual ones
/// @param image the name of an image, or `host`; empty for the first that has the language
public record Packages(Optional<List<String>> environments, Optional<String> image) {
    /// Nothing is asked.
    public static final Packages USUAL = new Packages(Optional.empty(), Optional.empty());

    /// How many environments one run may have.
    public static final int ENVIRONMENTS_MAX = 8;

    /// The longest text of either.
    public static final int LENGTH_MAX = 400;

    /// @param environment names separated by commas, or `none`
    /// @throws Refusal INVALID_ARGUMENT when there are too many
    public static Packages of(Optional<String> environment, Optional<String> image) {
        return new Packages(environment.map(Packages::names), image);
    }

    private static List<String> names(String text) {
        if (text.strip().equals(PackageEnvironment.NONE)) {
            return List.of();
        }
        var names =
                Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .toList();
        if (names.size() > ENVIRONMENTS_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "environment names %d environments; a run may have %d."
                            .formatted(names.size(), ENVIRONMENTS_MAX));
        }
        return names;
    }
}
