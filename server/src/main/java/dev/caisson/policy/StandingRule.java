package dev.caisson.policy;

import java.time.Instant;
import java.util.Optional;

/// Rule in force, as an operator sees it.
///
/// @param madeBy the name of the key that stored it; empty for one that is not in the database
/// @param usable whether it can be read; one that cannot denies every call
public record StandingRule(
        PlacedRule placed, Optional<String> madeBy, Optional<Instant> made, boolean usable) {}
