package dev.caisson.broker;

import java.time.Duration;
import java.util.Optional;

/// Need of an approval, as the policy says it of a call.
///
/// @param rule that asks
/// @param fixed whether that rule stands where no other rule can be put before it
/// @param reason why, as people and callers are told
/// @param expires how long the approval may be waited for
public record ApprovalNeed(
        String rule, boolean fixed, Optional<String> reason, Optional<Duration> expires) {}
