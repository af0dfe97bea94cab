package dev.caisson.linux.cgroup;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.Cgroups;
import dev.caisson.linux.Descriptor;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.ServerToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Control groups in trees that are mounted and writable. A group is a directory in each tree,
/// called `<server token>.<name>`, so that what a dead server left can be told from what a live one
/// uses.
///
/// @param missing why a limit cannot be set
record MountedCgroups(
        List<CgroupHierarchy> hierarchies,
        Map<Cgroups.Power, String> missing,
        String describe,
        ServerToken owner)
        implements Cgroups {
    private static final String PROCESSES = "cgroup.procs";
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");

    MountedCgroups {
        hierarchies = List.copyOf(hierarchies);
        missing = Map.copyOf(missing);
    }

    @Override
    public Optional<String> missing(Power power) {
        return Optional.ofNullable(missing.get(power));
    }

    /// A tree of version 2 can always, also one beside those of version 1.
    @Override
    public boolean canFreeze() {
        return hierarchies.stream()
                .anyMatch(tree ->
                        tree.version() == CgroupHierarchy.Version.V2
                                || tree.controllers().contains("freezer"));
    }

    @Override
    public CgroupGroup create(String name, CgroupLimits limits) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not a name for a group: " + name);
        }
        var called = owner + "." + name;
        var group = new Group(name, directories(called), controls(called), areAlone());
        var made = new ArrayDeque<Path>();
        try {
            for (var directory : group.directories.all()) {
                made.push(Files.createDirectory(directory));
            }
            group.update(limits);
            return group;
        } catch (IOException | RuntimeException failed) {
            made.forEach(directory -> directory.toFile().delete());
            throw new IllegalStateException("cannot make the control group " + name, failed);
        }
    }

    private boolean areAlone() {
        return hierarchies.getFirst().version() == CgroupHierarchy.Version.V2;
    }

    private CgroupDirectories directories(String name) {
        return new CgroupDirectories(
                hierarchies.stream().map(hierarchy -> hierarchy.parent().resolve(name)).toList());
    }

    @Override
    public void limitTogether(long memoryBytes, int processes) {
        controls("").limitTogether(memoryBytes, processes);
    }

    /// @param name empty for the parent of all
    private CgroupControls controls(String name) {
        if (areAlone()) {
            return new CgroupControlsV2(hierarchies.getFirst().parent().resolve(name));
        }
        var byController = new HashMap<String, Path>();
        for (var hierarchy : hierarchies) {
            for (var controller : hierarchy.controllers()) {
                byController.put(controller, hierarchy.parent().resolve(name));
            }
        }
        return new CgroupControlsV1(byController);
    }

    @Override
    public int sweep() throws InterruptedException {
        int removed = 0;
        for (var name : leftovers()) {
            removed += directories(name).remove() ? 1 : 0;
        }
        return removed;
    }

    private TreeSet<String> leftovers() {
        var names = new TreeSet<String>();
        for (var hierarchy : hierarchies) {
            try (var children = Files.list(hierarchy.parent())) {
                children.filter(Files::isDirectory)
                        .map(child -> child.getFileName().toString())
                        .filter(MountedCgroups::isOrphaned)
                        .forEach(names::add);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return names;
    }

    private static boolean isOrphaned(String name) {
        int dot = name.indexOf('.');
        return dot > 0
                && ServerToken.parse(name.substring(0, dot))
                        .filter(token -> !token.isAlive())
                        .isPresent();
    }

    private static final class Group implements CgroupGroup {
        /// A page of a file that somebody read first is charged to him. To give back more than this
        /// takes longer than to make another group.
        private static final long LEFT_BYTES_MAX = 1 << 20;

        private final String name;
        private final CgroupDirectories directories;
        private final boolean alone;
        private final CgroupControls controls;
        private final CgroupCounters counters;
        private Optional<CgroupLimits> inForce = Optional.empty();
        private OptionalInt weighs = OptionalInt.empty();
        private List<Descriptor> joins = List.of();

        /// @param alone whether its one directory is of version 2
        Group(String name, CgroupDirectories directories, CgroupControls controls, boolean alone) {
            this.name = name;
            this.directories = directories;
            this.alone = alone;
            this.controls = controls;
            this.counters = controls.counters();
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public List<Path> procsFiles() {
            return directories.procsFiles();
        }

        @Override
        public synchronized List<Descriptor> joins() {
            if (joins.isEmpty()) {
                var opened = new ArrayList<Descriptor>();
                try {
                    procsFiles().forEach(file -> opened.add(Descriptor.toWrite(file)));
                } catch (KernelException failed) {
                    opened.forEach(Descriptor::close);
                    throw failed;
                }
                joins = List.copyOf(opened);
            }
            return joins;
        }

        /// The kernel asks whether the user may move processes within the parent of both groups, in
        /// which no process can be. Who is not inside it may move nobody into it.
        @Override
        public Optional<Path> homeFor(int user) {
            if (!alone) {
                return Optional.empty();
            }
            var home = directories.all().getFirst();
            try {
                Files.setAttribute(home.resolve(PROCESSES), "unix:uid", user);
                Files.setPosixFilePermissions(
                        home.resolveSibling(PROCESSES),
                        PosixFilePermissions.fromString("rw-rw-rw-"));
                return Optional.of(home);
            } catch (IOException refused) {
                return Optional.empty();
            }
        }

        @Override
        public synchronized void update(CgroupLimits limits) {
            var before = inForce;
            // When the kernel took only some of them, all are written the next time.
            inForce = Optional.empty();
            controls.apply(limits, before);
            inForce = Optional.of(limits);
        }

        @Override
        public synchronized void weigh(int weight) {
            if (weighs.isPresent() && weighs.getAsInt() == weight) {
                return;
            }
            // Whether the kernel took it is not known when it refuses.
            weighs = OptionalInt.empty();
            controls.weigh(weight);
            weighs = OptionalInt.of(weight);
        }

        @Override
        public long oomKills() {
            return counters.oomKills().value();
        }

        @Override
        public long memoryPeakBytes() {
            return counters.memoryPeak().value();
        }

        @Override
        public long memoryBytes() {
            return counters.memory().value();
        }

        @Override
        public Duration cpuTime() {
            return counters.cpuTime();
        }

        @Override
        public long forksRefused() {
            return counters.forksRefused().value();
        }

        @Override
        public boolean isEmpty() {
            return directories.isEmpty();
        }

        @Override
        public boolean holdsOnly(Set<Long> processes) {
            return directories.holdOnly(processes);
        }

        @Override
        public boolean canFreeze() {
            return directories.canFreeze();
        }

        @Override
        public boolean freeze() {
            return directories.freeze();
        }

        @Override
        public void thaw() {
            directories.thaw();
        }

        @Override
        public boolean killAll() throws InterruptedException {
            return directories.killAll();
        }

        /// Who joins is in each tree, and in all of them before anything of a program runs: where
        /// the kernel counts nobody in one, nobody is in the others.
        private boolean isDeserted() {
            return counters.countNobody() || directories.isEmpty();
        }

        @Override
        public boolean restart() {
            try {
                boolean empty = isDeserted() && memoryBytes() <= LEFT_BYTES_MAX;
                if (empty) {
                    counters.restart();
                }
                return empty;
            } catch (UncheckedIOException unknown) {
                return false;
            }
        }

        @Override
        public boolean remove() throws InterruptedException {
            counters.close();
            controls.close();
            closeJoins();
            return directories.remove();
        }

        private synchronized void closeJoins() {
            joins.forEach(Descriptor::close);
            joins = List.of();
        }
    }
}
