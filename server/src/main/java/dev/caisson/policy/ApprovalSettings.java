package dev.caisson.policy;

import dev.caisson.config.Key;
import java.time.Duration;

/// Settings of approvals.
///
/// @param clientWait how long a call that no program makes waits for a decision
/// @param expires how long an approval may be waited for, unless its rule says so
public record ApprovalSettings(
        @Key(
                        name = "approvals.client_wait",
                        initial = "45s",
                        min = "0s",
                        max = "10m",
                        doc =
                                "How long a call that a person must approve waits for the decision;"
                                        + " then it is answered, and made again later. So is the MCP"
                                        + " client of a program that waits; the program waits on.")
                Duration clientWait,
        @Key(
                        name = "approvals.expires",
                        initial = "24h",
                        min = "1s",
                        max = "30d",
                        doc = "How long an approval may be waited for, unless its rule says so.")
                Duration expires) {}
