package dev.caisson.cli;

import picocli.CommandLine.Command;

/// Holds the commands about threads; does nothing by itself.
@Command(
        name = "thread",
        description = "Looks into threads, beside a server that may be running.",
        synopsisSubcommandLabel = "(list | files | cat)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson thread list",
            "  caisson thread files my-thread",
            "  caisson thread cat my-thread results/table.csv > table.csv"
        })
final class ThreadCommand {}
