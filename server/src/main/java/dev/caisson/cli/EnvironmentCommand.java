package dev.caisson.cli;

import picocli.CommandLine.Command;

/// Group of the commands about environments.
@Command(
        name = "environment",
        description = "Bakes, lists and removes environments: packages for programs.",
        synopsisSubcommandLabel = "(bake | list | remove)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson environment bake data",
            "  caisson environment bake science --python requirements.lock --preload numpy",
            "  caisson environment bake web --node package-lock.json"
        })
final class EnvironmentCommand {}
