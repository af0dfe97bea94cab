package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.Cgroups;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Isolation layers of a live sandbox as observed from outside, through the host's `/proc`, while
/// its guest waits: what the kernel says about it, not what it says about itself.
public final class ObservedIsolation {
    private static final List<String> NAMESPACES =
            List.of("user", "mnt", "pid", "net", "ipc", "uts", "cgroup");
    private static final List<String> CAPABILITIES =
            List.of("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb");

    /// The places where sockets are tried, and what is said of them when they are as they should
    /// be.
    public static final List<String> TRIED =
            List.of("/workspace/socket", "/tmp/socket", "/dev/shm/socket");

    private static final String PRIVATE = "-++";
    private static final String NOWHERE = "---";

    private final Path process;
    private final Machine machine;
    private final Slot slot;
    private final Limits limits;

    /// The name of its control group; empty when it has none.
    private final String group;

    /// What was found inside about sockets.
    private final String trial;

    /// @param trial what a program inside found at [#TRIED]; the kernel does not show from outside
    ///   what a process gave up, or what a filter refuses
    ObservedIsolation(Machine machine, Subject subject, String trial) {
        this.process = Path.of("/proc", Long.toString(subject.pid()));
        this.machine = machine;
        this.slot = subject.slot();
        this.limits = subject.limits();
        this.trial = trial;
        this.group = subject.group().map(CgroupGroup::name).orElse("");
    }

    /// The sandbox that is looked at.
    ///
    /// @param pid of its program, on the host
    public record Subject(long pid, Slot slot, Limits limits, Optional<CgroupGroup> group) {}

    /// The layers that are not in force, and why.
    Map<Layer, String> missing() throws IOException {
        var missing = new EnumMap<Layer, String>(Layer.class);
        for (var layer : Layer.values()) {
            why(layer).ifPresent(reason -> missing.put(layer, reason));
        }
        return missing;
    }

    private Optional<String> why(Layer layer) throws IOException {
        return switch (layer) {
            case NAMESPACES -> namespaces();
            case OWN_USER -> ownUser();
            case READ_ONLY_ROOT ->
                    mounted("/", "ro").or(() -> mounted("/usr", "ro", "nosuid", "nodev"));
            case PRIVATE_PROC -> proc();
            case NO_PRIVILEGES -> privileges();
            case SYSCALL_FILTER -> field("Seccomp", "2");
            case SOCKETS_STAY_INSIDE -> sockets();
            case NO_NETWORK -> network();
            case MEMORY_LIMIT -> limited(Cgroups.Power.MEMORY);
            case PROCESS_LIMIT -> limited(Cgroups.Power.PROCESSES);
            case CPU_LIMIT -> limited(Cgroups.Power.CPU);
            case FILE_LIMITS -> fileLimits();
            case BOUNDED_TMP -> boundedTmp();
            case WORKSPACE_LIMIT -> workspaceLimit();
        };
    }

    private Optional<String> namespaces() throws IOException {
        for (var name : NAMESPACES) {
            var inside = Files.readSymbolicLink(process.resolve("ns").resolve(name));
            if (inside.equals(Files.readSymbolicLink(Path.of("/proc/self/ns", name)))) {
                return Optional.of("it shares the server's " + name + " namespace");
            }
        }
        return Optional.empty();
    }

    private Optional<String> ownUser() throws IOException {
        if (slot.user().isEmpty()) {
            return Optional.of("the server is a plain user and every sandbox runs as that user");
        }
        int user = slot.user().getAsInt();
        return field("Uid", "%1$d\t%1$d\t%1$d\t%1$d".formatted(user));
    }

    private Optional<String> privileges() throws IOException {
        for (var set : CAPABILITIES) {
            var wrong = field(set, "0000000000000000");
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return field("NoNewPrivs", "1");
    }

    private Optional<String> field(String name, String wanted) throws IOException {
        var line = name + ":\t" + wanted;
        try (var lines = Files.lines(process.resolve("status"))) {
            var found = lines.filter(each -> each.startsWith(name + ":")).findFirst();
            return found.filter(line::equals).isPresent()
                    ? Optional.empty()
                    : Optional.of("the kernel says " + found.orElse("nothing about " + name));
        }
    }

    private Optional<String> sockets() throws IOException {
        return switch (machine.sockets()) {
            case PAIRS_ONLY -> {
                var filter = field("Seccomp", "2");
                yield filter.isPresent() || trial.equals(SocketGate.UNTRIED)
                        ? filter
                        : found(NOWHERE);
            }
            case PRIVATE_PLACES -> found(PRIVATE);
        };
    }

    private Optional<String> found(String wanted) {
        return trial.equals(wanted)
                ? Optional.empty()
                : Optional.of(
                        "a trial of sockets in %s says %s instead of %s"
                                .formatted(TRIED, trial, wanted));
    }

    private Optional<String> network() throws IOException {
        try (var lines = Files.lines(process.resolve("net/dev"))) {
            var other =
                    lines.skip(2)
                            .map(String::strip)
                            .filter(line -> !line.startsWith("lo:"))
                            .findAny();
            return other.map(line -> "it has the interface " + line.replaceAll(":.*", ""));
        }
    }

    private Optional<String> proc() {
        return mounted("/proc", "ro")
                .or(() -> mounted("/proc/1", "ro"))
                .or(() ->
                        Stream.of(machine.host().hiddenFiles(), machine.host().hiddenDirectories())
                                .flatMap(List::stream)
                                .map(name -> mounted("/proc/" + name, "ro"))
                                .flatMap(Optional::stream)
                                .findFirst());
    }

    private Optional<String> boundedTmp() {
        if (machine.mounts().isEmpty() && machine.host().unshare().isEmpty()) {
            return Optional.of(
                    "this host lets plain users mount nothing, so files can be limited in number only when the server is root");
        }
        return mounted("/tmp", "nosuid", "nodev", "nr_inodes=", "size=")
                .or(() -> mounted("/dev/shm", "nosuid", "nodev", "nr_inodes=", "size="));
    }

    /// Workspaces are images exactly where this machine has what images need.
    private Optional<String> workspaceLimit() {
        return LoopImages.missing()
                .or(() ->
                        machine.mounts().isPresent()
                                ? Optional.empty()
                                : Optional.of("file systems can be attached only by root"));
    }

    /// Whether the last mount at a place has all these options.
    private Optional<String> mounted(String place, String... options) {
        try (var lines = Files.lines(process.resolve("mountinfo"))) {
            var found =
                    lines.filter(line -> line.split(" ", 6)[4].equals(place))
                            .reduce((_, last) -> last);
            if (found.isEmpty()) {
                return Optional.of("nothing is mounted at " + place);
            }
            return Stream.of(options)
                    .filter(option -> !Pattern.compile("[ ,]" + option).matcher(found.get()).find())
                    .findFirst()
                    .map(option -> place + " is mounted without " + option);
        } catch (IOException failed) {
            return Optional.of("its mounts cannot be read: " + failed.getMessage());
        }
    }

    private Optional<String> limited(Cgroups.Power power) throws IOException {
        var missing = machine.groups().missing(power);
        if (missing.isPresent()) {
            return missing;
        }
        return Files.readString(process.resolve("cgroup")).contains(group)
                ? Optional.empty()
                : Optional.of("it is not in its control group");
    }

    private Optional<String> fileLimits() throws IOException {
        var text = Files.readString(process.resolve("limits"));
        return limit(text, "Max core file size", 0)
                .or(() -> limit(text, "Max open files", limits.openFiles()))
                .or(() -> limit(text, "Max file size", limits.fileBytes()))
                .or(this::terminals);
    }

    /// Limited in number, or absent where a plain user cannot limit them.
    private Optional<String> terminals() {
        return mounted("/dev/pts", machine.mounts().isPresent() ? "max=" : "ro");
    }

    private static Optional<String> limit(String text, String name, long wanted) {
        var line = Pattern.compile("(?m)^" + name + " +" + wanted + " +" + wanted + " ");
        return line.matcher(text).find()
                ? Optional.empty()
                : Optional.of(name + " is not " + wanted);
    }
}
