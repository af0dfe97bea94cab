package dev.caisson.sandbox.bubblewrap;

import java.util.ArrayList;
import java.util.List;

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
    static final int OF_FILES = READ_ONLY | NO_SUID | NO_DEVICES;

    static final int OF_DEVICES = NO_SUID | NO_PROGRAMS;
    static final int OF_MEMORY = NO_SUID | NO_DEVICES;
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
