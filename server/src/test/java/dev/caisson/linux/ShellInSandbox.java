package dev.caisson.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A shell in a real sandbox, as a user of its own, that answers one command at a time.
public final class ShellInSandbox implements AutoCloseable {
    static final int UID = 210_321;

    private static final String END = "-- end ";

    /// @param code of the command
    public record Answer(int code, String output) {}

    private final Process launcher;
    private final BufferedReader output;
    private final PidFd init;
    private final IdMap map;
    private final Reaper reaper = Reaper.install();

    private ShellInSandbox(Process launcher) throws IOException {
        this.launcher = launcher;
        this.output = launcher.inputReader(StandardCharsets.UTF_8);
        this.init = PidFd.open(childOf(launcher.pid()));
        this.map = IdMap.of(init);
    }

    static ShellInSandbox start() {
        return start(List.of("setpriv"), List.of());
    }

    /// Under a syscall filter.
    public static ShellInSandbox start(Path filter) {
        var opened = "exec setpriv \"$@\" 9<'%s'".formatted(filter);
        return start(List.of("sh", "-c", opened, "sh"), List.of("--seccomp", "9"));
    }

    private static ShellInSandbox start(List<String> launcher, List<String> options) {
        try {
            var command = new ArrayList<>(launcher);
            command.addAll(List.of("--reuid=" + UID, "--regid=" + UID, "--clear-groups"));
            command.addAll(List.of("--no-new-privs", "--bounding-set=-all", "bwrap"));
            command.addAll(List.of("--unshare-all", "--unshare-user", "--disable-userns"));
            command.addAll(List.of("--uid", "1000", "--gid", "1000", "--die-with-parent"));
            command.addAll(List.of("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"));
            command.addAll(List.of("--symlink", "usr/lib", "/lib"));
            command.addAll(List.of("--symlink", "usr/lib64", "/lib64", "--tmpfs", "/tmp"));
            command.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--dir", "/workspace"));
            command.addAll(List.of("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"));
            command.addAll(List.of("--remount-ro", "/", "--chdir", "/"));
            command.addAll(List.of("--clearenv", "--setenv", "PATH", "/usr/bin"));
            command.addAll(options);
            command.add("sh");
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            ready(process);
            return new ShellInSandbox(process);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// A shell that answers has everything of its sandbox around it.
    private static void ready(Process launcher) throws IOException {
        var output = launcher.inputReader(StandardCharsets.UTF_8);
        launcher.outputWriter().write("echo ready\n");
        launcher.outputWriter().flush();
        var line = output.readLine();
        if (!"ready".equals(line)) {
            throw new IOException("the sandbox did not start: " + line);
        }
    }

    private static long childOf(long pid) throws IOException {
        var children = Path.of("/proc/%d/task/%d/children".formatted(pid, pid));
        return Long.parseLong(Files.readString(children).strip());
    }

    /// Files of user 1000 on disk are the shell's.
    IdMap map() {
        return map;
    }

    PidFd init() {
        return init;
    }

    public Answer run(String command) {
        try {
            var input = launcher.outputWriter();
            input.write(
                    "( %s ) 2>&1 </dev/null; code=$?; echo; echo \"%s$code\"\n"
                            .formatted(command, END));
            input.flush();
            var said = new StringBuilder();
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(END)) {
                    var code = Integer.parseInt(line.substring(END.length()));
                    return new Answer(code, said.toString().strip());
                }
                said.append(line).append('\n');
            }
            throw new IllegalStateException("the shell ended: " + said);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        init.kill();
        try {
            launcher.waitFor();
            reaper.reap(init, Duration.ofSeconds(30));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        map.close();
        init.close();
    }
}
