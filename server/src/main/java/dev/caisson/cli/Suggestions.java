package dev.caisson.cli;

import dev.caisson.call.NearName;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/// Messages about mistyped options and commands, with the name that was probably meant.
final class Suggestions {
    private Suggestions() {}

    /// Such as `Unknown option --prot. Did you mean --port?`
    static String of(UnmatchedArgumentException wrong) {
        var unknown = wrong.getUnmatched();
        var first =
                unknown.stream()
                        .filter(Suggestions::isOption)
                        .findFirst()
                        .orElse(unknown.getFirst());
        var command = wrong.getCommandLine().getCommandSpec();
        return isOption(first)
                ? sentence("option", withoutValue(first), optionNames(command))
                : argument(first, command);
    }

    private static String argument(String text, CommandSpec command) {
        var commands = List.copyOf(command.subcommands().keySet());
        return sentence(commands.isEmpty() ? "argument" : "command", text, commands);
    }

    private static String sentence(String kind, String name, List<String> known) {
        var hint = NearName.of(name, known).map(near -> " Did you mean " + near + "?").orElse("");
        return "Unknown " + kind + " " + name + "." + hint;
    }

    private static List<String> optionNames(CommandSpec command) {
        return command.options().stream()
                .flatMap(option -> List.of(option.names()).stream())
                .filter(name -> name.startsWith("--"))
                .toList();
    }

    private static boolean isOption(String text) {
        return text.startsWith("-");
    }

    private static String withoutValue(String option) {
        var equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }
}
