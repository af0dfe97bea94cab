package dev.caisson.ledger;

import java.time.LocalDate;
import java.util.Optional;

/// Sum of the calls of one group.
///
/// @param day where days are told apart, as the next two
/// @param caller by id
/// @param tool empty text for names that no tool has
/// @param nested calls that programs made
/// @param failed calls that ended otherwise than with success
/// @param denied of those, by rules
/// @param unknown of those, where nobody knows whether something was changed
/// @param resultBytes of what clients were answered
/// @param nestedBytes of what programs were answered
public record UsageSum(
        Optional<LocalDate> day,
        Optional<String> caller,
        Optional<String> tool,
        long calls,
        long nested,
        long failed,
        long denied,
        long unknown,
        long resultBytes,
        long nestedBytes,
        long durationMicros) {}
