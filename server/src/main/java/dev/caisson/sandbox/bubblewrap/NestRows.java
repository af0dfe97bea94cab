package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.MountFlag;
import dev.caisson.sandbox.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Rows of a nest's plan, four words each, as `carry_out` of `guests/nest/nest.c` reads them: what
/// is done, from what, where, and the kernel's flags of what is mounted there.
///
/// | row | does |
/// |---|---|
/// | `directory` | makes one |
/// | `link` | makes a symbolic link to what it is from |
/// | `show` | binds a file or a tree of the host, with these flags all the way down |
/// | `flags` | adds flags to a mount |
/// | `write` | writes a text to a file |
/// | `proc`, `tmpfs`, `devpts` | mounts a new file system, from its options |
final class NestRows {
    private static final int ROW = 4;
    private static final int READ_ONLY = 1;
    private static final int NO_SUID = 2;
    private static final int NO_DEVICES = 4;
    private static final int NO_PROGRAMS = 8;

    /// Flags of what is shown of the host.
    static final int OF_FILES = flags(SandboxSpec.COVER_FLAGS);

    static final int OF_DEVICES = NO_SUID | NO_PROGRAMS;
    static final int OF_MEMORY = flags(SandboxSpec.WRITABLE);
    static final int OF_PROCESSES = NO_SUID | NO_DEVICES | NO_PROGRAMS;
    static final int OF_TERMINALS = NO_SUID | NO_PROGRAMS;

    private final List<String> words = new ArrayList<>();

    /// The rows for words of [SandboxSpec], as far as those of its root go.
    static NestRows of(SandboxSpec.Words bubblewrap) {
        var rows = new NestRows();
        for (var word = bubblewrap.list().iterator(); word.hasNext(); ) {
            switch (word.next()) {
                case "--dir" -> rows.directory(word.next());
                case "--symlink" -> rows.link(word.next(), word.next());
                case "--ro-bind" -> rows.show(word.next(), word.next(), OF_FILES);
                case String other -> throw new IllegalArgumentException("no row: " + other);
            }
        }
        return rows;
    }

    private static int flags(Set<MountFlag> flags) {
        return flags.stream()
                .mapToInt(flag ->
                        switch (flag) {
                            case READ_ONLY -> READ_ONLY;
                            case NO_SUID -> NO_SUID;
                            case NO_DEV -> NO_DEVICES;
                            case NO_EXEC -> NO_PROGRAMS;
                            case NO_SYMLINKS ->
                                    throw new IllegalArgumentException("no flag of a row: " + flag);
                        })
                .sum();
    }

    /// The row for what bubblewrap's sandboxes are given from outside.
    ///
    /// @param mount whose source is as the nest finds it
    void add(LateMount mount) {
        switch (mount) {
            case LateMount.Cover(var target, var source) ->
                    show(source.toString(), target, OF_FILES);
            case LateMount.Tmpfs(var target, var bytes, var files, var flags) ->
                    mount(
                            "tmpfs",
                            "mode=1777,size=%1$d,nr_inodes=%2$d,uid=%3$d,gid=%3$d"
                                    .formatted(bytes, files, Workspace.OWNER),
                            target,
                            flags(flags));
            case LateMount.Terminals(var target, var most) ->
                    mount(
                            "devpts",
                            "newinstance,ptmxmode=0666,mode=620,max=" + most,
                            target,
                            OF_TERMINALS);
        }
    }

    void directory(String place) {
        add("directory", "", place, 0);
    }

    void link(String target, String place) {
        add("link", target, place, 0);
    }

    void show(String source, String place, int flags) {
        add("show", source, place, flags);
    }

    void mount(String type, String options, String place, int flags) {
        add(type, options, place, flags);
    }

    void makeReadOnly(String place) {
        add("flags", "", place, READ_ONLY);
    }

    /// A setting of the kernel for a namespace, as of what it counts for all users there together.
    void set(String name, long value) {
        add("write", "" + value, "/proc/sys/" + name, 0);
    }

    void addAll(NestRows more) {
        words.addAll(more.words);
    }

    private void add(String kind, String from, String place, int flags) {
        words.addAll(List.of(kind, from, place, "" + flags));
    }

    /// The same, with what is shown taken from below a directory.
    NestRows below(String directory) {
        var rows = new NestRows();
        for (int row = 0; row < words.size(); row += ROW) {
            var from =
                    words.get(row).equals("show")
                            ? directory + words.get(row + 1)
                            : words.get(row + 1);
            rows.words.addAll(
                    List.of(words.get(row), from, words.get(row + 2), words.get(row + 3)));
        }
        return rows;
    }

    List<String> list() {
        return List.copyOf(words);
    }
}
