package dev.caisson.cli;

import dev.caisson.call.Refusal;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Version;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.time.ZoneId;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Root command `caisson` with its subcommands. Exit codes: 0 done, 1 failed, 2 a mistake in what
/// was typed or configured.
@Command(
        name = "caisson",
        description = "A server that runs programs of AI agents safely in sandboxes.",
        mixinStandardHelpOptions = true,
        versionProvider = Caisson.VersionLine.class,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson serve                 start the server, print its URL and first keys",
            "  caisson stdio                 speak MCP on standard input and output",
            "  caisson key create laptop     create a key for a client",
            "  caisson COMMAND --help        more about a command"
        })
public final class Caisson {
    /// `caisson 1.2.3`.
    static final class VersionLine implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"caisson " + Version.TEXT};
        }
    }

    private Caisson() {}

    /// Runs one command.
    ///
    /// @return the exit code
    public static int run(Product product, PrintWriter out, PrintWriter err, String... args) {
        var line = new CommandLine(new Caisson());
        line.addSubcommand(new ServeCommand(product));
        line.addSubcommand(new StdioCommand(product));
        line.addSubcommand(keyCommands(product));
        line.addSubcommand(ProfileCommand.line(product));
        line.addSubcommand(SecretCommand.line(product));
        line.addSubcommand(UpstreamCommand.line(product));
        line.addSubcommand(PolicyCommand.line(product));
        line.addSubcommand(ApprovalsCommand.line(product));
        line.addSubcommand(CallsCommand.line(product));
        line.addSubcommand(ledgerCommands(product));
        line.addSubcommand(threadCommands(product));
        line.addSubcommand(environmentCommands(product));
        line.addSubcommand(new BackupCommand(product));
        line.addSubcommand(new RestoreCommand(product));
        line.addSubcommand(new ConfigCommand(product));
        line.addSubcommand(new DoctorCommand(product));
        for (var command : line.getSubcommands().values()) {
            helped(command);
        }
        line.setOut(out).setErr(err);
        line.setParameterExceptionHandler((wrong, _) -> mistyped(wrong));
        line.setExecutionExceptionHandler((failure, command, _) -> failed(failure, command));
        return args.length == 0 ? usage(line) : line.execute(args);
    }

    private static CommandLine keyCommands(Product product) {
        return new CommandLine(new KeyCommand())
                .addSubcommand(new KeyCreateCommand(product, InstantSource.system()))
                .addSubcommand(
                        new KeyListCommand(product, InstantSource.system(), ZoneId.systemDefault()))
                .addSubcommand(new KeyRevokeCommand(product));
    }

    private static CommandLine ledgerCommands(Product product) {
        return new CommandLine(new LedgerCommand())
                .addSubcommand(new LedgerVerifyCommand(product))
                .addSubcommand(new LedgerExportCommand(product));
    }

    private static CommandLine threadCommands(Product product) {
        return new CommandLine(new ThreadCommand())
                .addSubcommand(new ThreadListCommand(product))
                .addSubcommand(new ThreadFilesCommand(product))
                .addSubcommand(new ThreadCatCommand(product));
    }

    private static CommandLine environmentCommands(Product product) {
        return new CommandLine(new EnvironmentCommand())
                .addSubcommand(new EnvironmentBakeCommand(product))
                .addSubcommand(new EnvironmentListCommand(product))
                .addSubcommand(new EnvironmentRemoveCommand(product));
    }

    private static void helped(CommandLine command) {
        command.getCommandSpec().mixinStandardHelpOptions(true);
        command.getCommandSpec().versionProvider(new VersionLine());
        command.getSubcommands().values().forEach(Caisson::helped);
    }

    private static int usage(CommandLine line) {
        line.usage(line.getErr());
        return Product.USAGE;
    }

    private static int mistyped(ParameterException wrong) {
        var command = wrong.getCommandLine();
        command.getErr()
                .println(
                        wrong instanceof UnmatchedArgumentException unmatched
                                ? Suggestions.of(unmatched)
                                : wrong.getMessage());
        command.getErr().println("See `" + command.getCommandSpec().qualifiedName() + " --help`.");
        return Product.USAGE;
    }

    private static int failed(Exception failure, CommandLine command) {
        var err = command.getErr();
        return switch (failure) {
            case Mistakes mistakes -> {
                err.println(mistakes.text());
                yield Product.USAGE;
            }
            case ParameterException wrong -> mistyped(wrong);
            case Refusal refusal -> {
                err.println(refusal.sentence());
                yield Product.FAILED;
            }
            case CommandFailed known -> {
                err.println(known.getMessage());
                yield Product.FAILED;
            }
            default -> {
                err.println("This is a bug in Caisson, not your mistake. Please report it:");
                failure.printStackTrace(err);
                yield Product.FAILED;
            }
        };
    }
}
