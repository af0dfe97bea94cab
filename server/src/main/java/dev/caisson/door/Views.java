package dev.caisson.door;

import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Digests;
import dev.caisson.sandbox.HostDoor;
import dev.caisson.stubs.Generator;
import dev.caisson.stubs.Learned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Views of the tools that callers may call, as directories of files that programs import. Whoever
/// may call the same tools shares one. They are made when a run first needs them and removed some
/// time after their last use.
final class Views implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Views.class);

    private final Limits limits;
    private final LongSupplier nanos;
    private final Learned learned;
    private final ViewFiles files;
    private final Map<String, View> views = new HashMap<>();
    private boolean closed;

    /// What they may take.
    ///
    /// @param views at a time
    /// @param bytes of all their files
    /// @param unused how long one is kept that no run uses
    record Limits(int views, long bytes, Duration unused) {
        static final Limits DEFAULT = new Limits(256, 256L << 20, Duration.ofHours(1));
    }

    /// @param directory where they are, shared by the processes of a data directory
    /// @param learned of results, which stubs say
    Views(Path directory, Limits limits, LongSupplier nanos, Learned learned) {
        this.limits = limits;
        this.nanos = nanos;
        this.learned = learned;
        this.files = new ViewFiles(directory);
    }

    /// A view that a sandbox shows, and that stays until it gives it back.
    final class Lease implements HostDoor.Wrappers {
        private final View view;
        private boolean over;

        private Lease(View view) {
            this.view = view;
            view.uses++;
        }

        @Override
        public Path directory() {
            return view.directory;
        }

        String hash() {
            return view.hash;
        }

        @Override
        public void close() {
            synchronized (Views.this) {
                if (!over) {
                    over = true;
                    view.uses--;
                    view.lastUse = nanos.getAsLong();
                }
            }
        }
    }

    private record Module(String name, String hash, List<ToolSpec> tools) {}

    private static final class View {
        final String hash;
        final Path directory;
        final Map<String, String> modules;
        int uses;
        long lastUse;

        View(String hash, Path directory, Map<String, String> modules) {
            this.hash = hash;
            this.directory = directory;
            this.modules = modules;
        }
    }

    /// The view of these tools. There is none when the disk or a limit does not allow it: programs
    /// then call tools by name alone.
    synchronized Optional<Lease> of(List<ToolSpec> tools) {
        if (closed || tools.isEmpty()) {
            return Optional.empty();
        }
        try {
            sweep();
            var modules = modules(tools);
            var hashes = new TreeMap<String, String>();
            modules.forEach(module -> hashes.put(module.name(), module.hash()));
            var hash = hash(hashes);
            if (!views.containsKey(hash)) {
                make(hash, hashes, modules);
            }
            return Optional.ofNullable(views.get(hash)).map(Lease::new);
        } catch (IOException failed) {
            LOG.warn("the files by which programs import tools cannot be made: {}", failed, failed);
            return Optional.empty();
        }
    }

    private List<Module> modules(List<ToolSpec> tools) {
        return tools.stream().collect(Collectors.groupingBy(ToolSpec::server)).entrySet().stream()
                .map(each ->
                        new Module(
                                each.getKey(),
                                ModuleHash.of(each.getValue(), learned),
                                each.getValue()))
                .toList();
    }

    private static String hash(Map<String, String> modules) {
        return Digests.sha256Hex(modules.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void make(String hash, Map<String, String> hashes, List<Module> modules)
            throws IOException {
        var made = new HashMap<String, Map<String, String>>();
        long bytes = 0;
        for (var module : modules) {
            if (!files.has(module.hash())) {
                var texts = Generator.module(module.name(), module.tools(), learned);
                made.put(module.hash(), texts);
                bytes += ViewFiles.bytes(texts);
            }
        }
        if (bytes > limits.bytes() || !makeRoom(bytes, hashes)) {
            LOG.warn(
                    "the files by which programs import tools take more than {} views or {} bytes:"
                            + " a run has to do without",
                    limits.views(),
                    limits.bytes());
            return;
        }
        for (var each : made.entrySet()) {
            files.putModule(each.getKey(), each.getValue());
        }
        views.put(hash, new View(hash, files.putView(hash, hashes), hashes));
    }

    /// Removes what was not used for longest, until there is room.
    private boolean makeRoom(long bytes, Map<String, String> kept) throws IOException {
        while (views.size() >= limits.views() || files.bytes() + bytes > limits.bytes()) {
            var oldest =
                    views.values().stream()
                            .filter(view -> view.uses == 0)
                            .min(Comparator.comparingLong(view -> view.lastUse));
            if (oldest.isEmpty()) {
                return false;
            }
            remove(oldest.get(), kept);
        }
        return true;
    }

    private void sweep() throws IOException {
        long now = nanos.getAsLong();
        for (var view : List.copyOf(views.values())) {
            if (view.uses == 0 && now - view.lastUse >= limits.unused().toNanos()) {
                remove(view, Map.of());
            }
        }
    }

    /// @param kept modules that stay, though no view may have them
    private void remove(View view, Map<String, String> kept) throws IOException {
        views.remove(view.hash);
        files.removeView(view.hash);
        var used = new HashSet<>(kept.values());
        views.values().forEach(each -> used.addAll(each.modules.values()));
        for (var module : view.modules.values()) {
            if (!used.contains(module)) {
                files.removeModule(module);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        views.clear();
        files.close();
    }
}
