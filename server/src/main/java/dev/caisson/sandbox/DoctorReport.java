package dev.caisson.sandbox;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Report of the doctor: what it found.
///
/// @param acceptance what to type to do without the layers that are missing
public record DoctorReport(Tier tier, List<Finding> findings, Optional<String> acceptance) {
    /// @param check what ought to hold
    /// @param detail what was seen
    /// @param remedy what to do when it does not hold
    public record Finding(String area, String check, boolean holds, String detail, String remedy) {}

    public DoctorReport {
        findings = List.copyOf(findings);
    }

    public boolean healthy() {
        return findings.stream().allMatch(Finding::holds);
    }

    /// For people: a line per finding, and below it what to do.
    public String table() {
        var table = new StringBuilder();
        for (var finding : findings) {
            table.append(
                    "%-5s %-10s %s%n"
                            .formatted(
                                    finding.holds() ? "ok" : "FAILS",
                                    finding.area(),
                                    finding.check()));
            if (!finding.holds()) {
                table.append(
                        "      found: %s%n      fix:   %s%n"
                                .formatted(finding.detail(), finding.remedy()));
            }
        }
        var held = findings.stream().filter(Finding::holds).count();
        table.append(
                "%d of %d hold; isolation is %s.%n".formatted(held, findings.size(), tier.word()));
        acceptance.ifPresent(
                line -> table.append("To run without the failing layers:%n  %s%n".formatted(line)));
        return table.toString();
    }

    public ObjectNode json() {
        var json =
                Json.object()
                        .put("healthy", healthy())
                        .put("tier", tier.word())
                        .put("checks", findings.size());
        var list = json.putArray("findings");
        for (var finding : findings) {
            list.addObject()
                    .put("area", finding.area())
                    .put("check", finding.check())
                    .put("holds", finding.holds())
                    .put("detail", finding.detail())
                    .put("remedy", finding.holds() ? "" : finding.remedy());
        }
        return json;
    }
}
