package dev.caisson.cli;

import picocli.CommandLine.Command;

/// Group of the commands about the ledger.
@Command(
        name = "ledger",
        description = "Verifies and exports the ledger, the record of every call.",
        synopsisSubcommandLabel = "(verify | export)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson ledger verify",
            "  caisson ledger verify --head 1204:9f86d081884c7d65...",
            "  caisson ledger export > ledger.jsonl"
        })
final class LedgerCommand {}
