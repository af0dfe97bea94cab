package dev.caisson.runs;

import dev.caisson.executions.Ended;
import dev.caisson.executions.RunUsage;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.PackageNames;
import dev.caisson.sandbox.Runner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Advice at the end of an answer: one line that says what to do about the end of a run.
///
/// The kernel says how a run ended, and after a timeout or too little memory that is all that
/// decides. After a failure the last words on stderr say why: a program that prints such words gets
/// a hint it does not need, and changes nothing else.
final class Advice {
    /// What stands further from the end of stderr is not why the program ended.
    private static final int TAIL_LENGTH = 4096;

    /// A program that computes gets at least this part of its share, also on a busy machine.
    private static final int BUSY_SHARE = 20;

    private static final String OPERATOR =
            " list_runners says what there is; the operator of this server can add more.";

    private static final Pattern PYTHON_MODULE =
            Pattern.compile("ModuleNotFoundError: No module named '([\\w.]{1,80})'");

    /// A path in place of a name is a file that is not there.
    private static final Pattern NODE_MODULE =
            Pattern.compile("Cannot find (?:module|package) '(@?[\\w-][\\w./-]{0,79})'");

    private static final Pattern NETWORK =
            Pattern.compile(
                    "Temporary failure in name resolution|Name or service not known|getaddrinfo"
                            + "|EAI_AGAIN|ENOTFOUND|ENETUNREACH|Network is unreachable"
                            + "|Could not resolve host|curl: \\([67]\\)");

    private Advice() {}

    /// @param runner which knows what is installed
    /// @param absent environments that the run should have had
    /// @param wallMax the longest time a caller may ask for
    /// @param room that it had for files
    static Optional<String> about(
            RunRequest request,
            Runner runner,
            List<PackageEnvironment.Missing> absent,
            Ended ended,
            RunUsage usage,
            Limits limits,
            Duration wallMax,
            WorkspaceRoom room,
            String errors) {
        return switch (ended.status()) {
            case FAILED -> failure(request, installed(runner, absent), ended, room, tail(errors));
            case TIMEOUT -> Optional.of(timeout(usage, limits.wall(), limits.cpus(), wallMax));
            case OOM -> Optional.of(memory() + room.counted());
            case RUNNING, SUCCESS, CANCELLED, BLOCKED -> Optional.empty();
        };
    }

    private static String tail(String errors) {
        return errors.substring(Math.max(0, errors.length() - TAIL_LENGTH));
    }

    private static Optional<String> failure(
            RunRequest request, String installed, Ended ended, WorkspaceRoom room, String errors) {
        return Stream.of(
                        NotebookMagics.advice(request.code(), errors),
                        missing(PYTHON_MODULE, errors, installed),
                        missing(NODE_MODULE, errors, installed),
                        room.advice(errors),
                        network(errors))
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> silentCurl(request.code(), ended));
    }

    private static Optional<String> missing(Pattern pattern, String errors, String installed) {
        var found = pattern.matcher(errors);
        return found.find()
                ? Optional.of(
                        "'%s' is not installed here, and there is no network to install it from."
                                        .formatted(found.group(1))
                                + installed
                                + OPERATOR)
                : Optional.empty();
    }

    private static String installed(Runner runner, List<PackageEnvironment.Missing> absent) {
        var names = PackageNames.listed(runner.environments());
        var there = names.isEmpty() ? "" : " Installed: " + names + ".";
        return absent.stream()
                .map(each -> " The environment %s: %s".formatted(each.name(), each.why()))
                .collect(Collectors.joining("", there, ""));
    }

    private static Optional<String> network(String errors) {
        return NETWORK.matcher(errors).find() ? Optional.of(noNetwork()) : Optional.empty();
    }

    private static String noNetwork() {
        return "There is no network in this sandbox: bring data in as files, with files_upload or"
                + " in the code.";
    }

    /// `curl -s` ends with 6 or 7 and says nothing when it reaches no host.
    private static Optional<String> silentCurl(String code, Ended ended) {
        var unreached = ended.exitCode().filter(exit -> exit == 6 || exit == 7).isPresent();
        return unreached && code.contains("curl") ? Optional.of(noNetwork()) : Optional.empty();
    }

    /// More time helps only a program that used the time it had.
    ///
    /// @param cpus its share of processors; one thread uses no more than one
    static String timeout(RunUsage usage, Duration wall, double cpus, Duration wallMax) {
        if (usage.cpuMillis() * BUSY_SHARE < wall.toMillis() * Math.min(1, cpus)) {
            return "It computed for %d ms only and waited for the rest, such as for input, a lock, a"
                            .formatted(usage.cpuMillis())
                    + " sleep or the network, which is not there: see what it waits for before you"
                    + " give it more time.";
        }
        return wall.compareTo(wallMax) < 0
                ? ("It was computing: do less in one run, or ask for up to %s with timeout, and for"
                                + " background: true when that is more than a minute.")
                        .formatted(Quantities.duration(wallMax))
                : "It was computing, and there is no more time to ask for: do less in one run.";
    }

    private static String memory() {
        return "Work on the data in parts and keep less of it in memory, or ask the operator of this"
                + " server for more.";
    }
}
