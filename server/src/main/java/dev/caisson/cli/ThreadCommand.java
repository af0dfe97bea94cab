package dev.caisson.cli;

import picocli.CommandLine.Command;

/// Group of the commands about threads.
@Command(
        name = "thread",
        description = "Lists threads and their files. A server may run meanwhile.",
        synopsisSubcommandLabel = "(list | files | cat)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson thread list",
            "  caisson thread files my-thread",
            "  caisson thread cat my-thread results/table.csv > table.csv"
        })
final class ThreadCommand {}
