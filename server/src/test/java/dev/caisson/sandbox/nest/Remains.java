package dev.caisson.sandbox.nest;

import dev.caisson.linux.LiveTree;
import dev.caisson.linux.ServerToken;
import dev.caisson.sandbox.bubblewrap.Bubblewrap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What there is of sandboxes and nests.
///
/// @param users that are leased
/// @param slots on the disk
/// @param groups control groups of runs and of nests
/// @param networks that this process holds
record Remains(int users, long slots, Set<String> groups, Set<String> networks) {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    /// @param sandboxes the directory in which slots are
    static Remains of(Bubblewrap bubblewrap, Path sandboxes) throws IOException {
        return new Remains(bubblewrap.boxes(), slotsIn(sandboxes), named(".*"), held());
    }

    /// Without what was there before.
    Remains beyond(Remains before) {
        var more = new TreeSet<>(groups);
        more.removeAll(before.groups);
        var held = new TreeSet<>(networks);
        held.removeAll(before.networks);
        return new Remains(users - before.users, slots - before.slots, more, held);
    }

    boolean isNothing() {
        return users == 0 && slots == 0 && groups.isEmpty() && networks.isEmpty();
    }

    private static long slotsIn(Path sandboxes) throws IOException {
        var directory = sandboxes.resolve(ServerToken.own() + "/slots");
        if (Files.notExists(directory)) {
            return 0;
        }
        try (var slots = Files.list(directory)) {
            return slots.count();
        }
    }

    private static Set<String> named(String pattern) throws IOException {
        var own = ServerToken.own().toString().replace(".", "\\.");
        return LiveTree.find(
                        GROUPS,
                        8,
                        (path, attributes) ->
                                attributes.isDirectory()
                                        && path.getFileName()
                                                .toString()
                                                .matches(own + "\\." + pattern))
                .stream()
                .map(path -> path.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> held() throws IOException {
        var networks = new TreeSet<String>();
        try (var open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (var each : open) {
                try {
                    networks.add(Files.readSymbolicLink(each).toString());
                } catch (IOException closedMeanwhile) {
                    // It is not held.
                }
            }
        }
        networks.removeIf(name -> !name.matches("net:.*|/proc/[0-9]+/net/.*"));
        return networks;
    }
}
