package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Read-only root of a sandbox: what it is made of, top entry by top entry.
public record Root(List<Entry> entries) {
    /// These are the sandbox's own and never come from an image.
    private static final Set<String> OWN =
            Set.of("proc", "dev", "sys", "run", "tmp", "workspace", "home", "data", "var", "root");

    private static final List<String> HOST_LINKS = List.of("bin", "sbin", "lib", "lib64", "lib32");

    public Root {
        entries = List.copyOf(entries);
    }

    public sealed interface Entry {
        String name();

        /// A directory of the host, shown read-only.
        record Shown(String name, Path source) implements Entry {}

        record Link(String name, String target) implements Entry {}
    }

    /// The host's `/usr` with a small `/etc` of our own; nothing else of the host.
    public static Root ofHost(Path etc) throws IOException {
        var entries = new ArrayList<Entry>();
        entries.add(new Entry.Shown("usr", Path.of("/usr")));
        for (var name : HOST_LINKS) {
            var path = Path.of("/", name);
            if (Files.exists(path)) {
                entries.add(entry(path));
            }
        }
        entries.add(new Entry.Shown("etc", etc));
        return new Root(entries);
    }

    /// Everything in an image directory but the parts that are the sandbox's own.
    public static Root ofImage(Path image) throws IOException {
        try (var files = Files.newDirectoryStream(image)) {
            var entries = new ArrayList<Entry>();
            for (var path : files) {
                boolean taken = Files.isSymbolicLink(path) || Files.isDirectory(path);
                if (taken && !OWN.contains(name(path))) {
                    entries.add(entry(path));
                }
            }
            entries.sort(Comparator.comparing(Entry::name));
            return new Root(entries);
        }
    }

    private static Entry entry(Path path) throws IOException {
        return Files.isSymbolicLink(path)
                ? new Entry.Link(name(path), Files.readSymbolicLink(path).toString())
                : new Entry.Shown(name(path), path);
    }

    private static String name(Path path) {
        return path.getFileName() == null ? "" : path.getFileName().toString();
    }
}
