package dev.caisson.ledger;

import java.util.List;

/// Result of a verification of the ledger.
///
/// @param entries how many were looked at
/// @param findings the first of them, in order; empty when all is well
/// @param complete whether these are all
public record Verification(
        long entries, LedgerHead head, List<Finding> findings, boolean complete) {
    public Verification {
        findings = List.copyOf(findings);
    }

    public boolean intact() {
        return findings.isEmpty();
    }
}
