package dev.caisson.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Token of one server process, its own on this machine for as long as that is up: its number and
/// when it started, since numbers are used again. What it leaves behind carries the token, so that
/// another server can tell whether the owner is still alive. Of one that counts its processes
/// apart, in a container perhaps, it cannot tell.
///
/// @param space the name of the space its number counts in
public record ServerToken(long pid, long startTicks, long space) {
    private static final Pattern FORM = Pattern.compile("p(\\d{1,10})t(\\d{1,19})n(\\d{1,19})");
    private static final Pattern SPACE = Pattern.compile("pid:\\[(\\d{1,19})]");
    private static final long OWN_SPACE = ownSpace();

    /// One that counts as this process does.
    public ServerToken(long pid, long startTicks) {
        this(pid, startTicks, OWN_SPACE);
    }

    private static long ownSpace() {
        try {
            var link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            var matcher = SPACE.matcher(link);
            return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        } catch (IOException none) {
            return 0;
        }
    }

    /// Of this process.
    public static ServerToken own() {
        long pid = ProcessHandle.current().pid();
        return new ServerToken(pid, startOf(pid).orElse(0L));
    }

    /// From its text; empty when it is none.
    public static Optional<ServerToken> parse(String text) {
        var matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new ServerToken(
                                Long.parseLong(matcher.group(1)),
                                Long.parseLong(matcher.group(2)),
                                Long.parseLong(matcher.group(3))))
                : Optional.empty();
    }

    /// Whether a file's name begins with the token of a process that is alive, and a hyphen.
    public static boolean isAliveIn(Path file) {
        var name = String.valueOf(file.getFileName());
        return parse(name.substring(0, Math.max(0, name.indexOf('-'))))
                .filter(ServerToken::isAlive)
                .isPresent();
    }

    /// Or may be, for all we know.
    public boolean isAlive() {
        return space != OWN_SPACE || startOf(pid).filter(start -> start == startTicks).isPresent();
    }

    /// The twenty-second field of `stat`, counted after the name, which may hold anything.
    private static Optional<Long> startOf(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            var fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
            return Optional.of(Long.parseLong(fields.get(19)));
        } catch (IOException | RuntimeException gone) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "p" + pid + "t" + startTicks + "n" + space;
    }
}
