package dev.caisson.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Question with yes or no for an answer. Where nobody sits at a terminal the answer is no.
final class Confirmation {
    private Confirmation() {}

    static boolean ask(@Nullable CommandSpec spec, String question) {
        CommandOutput.of(spec).flush();
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(console -> console.readLine("%s [y/N] ", question))
                .map(answer -> answer.strip().toLowerCase(Locale.ROOT))
                .filter(answer -> answer.equals("y") || answer.equals("yes"))
                .isPresent();
    }
}
