package dev.caisson.storage.thread;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import dev.caisson.json.Json;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.ThreadMeta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Index of the threads of each caller: for each a small file, in a directory of the caller's.
///
/// ```
/// <root>/owners/<hash of caller id>/<directory name of the thread>   {"id": "..."}
/// ```
///
/// An entry is there before its thread and goes after it, so that no thread is without one.
public final class ThreadIndex {
    private final Path owners;

    public ThreadIndex(Path root) throws IOException {
        owners = HashedNames.privateDirectory(root.resolve("owners"));
    }

    /// Notes that a thread is used now, and that it is there.
    public void add(Caller caller, String threadId) throws IOException {
        var entry = entry(caller, threadId);
        if (Files.exists(entry)) {
            Files.setLastModifiedTime(entry, FileTime.from(Instant.now()));
            return;
        }
        HashedNames.privateDirectory(directory(caller));
        var text = Json.text(Json.object().put("id", threadId));
        var draft = Files.createTempFile(owners, "draft", ".json");
        try {
            Files.writeString(draft, text);
            Files.createLink(entry, draft);
        } catch (FileAlreadyExistsException somebodyWasFaster) {
            return;
        } finally {
            Files.delete(draft);
        }
    }

    void remove(Caller caller, String threadId) throws IOException {
        Files.deleteIfExists(entry(caller, threadId));
    }

    /// Of any caller.
    ///
    /// @param name of the thread's directory
    /// @param used when an execution last began or ended there, or a file was put
    public record Entry(Path file, String name, Instant used) {
        static Entry of(Path file) throws IOException {
            var used = Files.getLastModifiedTime(file).toInstant();
            return new Entry(file, String.valueOf(file.getFileName()), used);
        }

        /// The same for all of a caller.
        public String owner() {
            return String.valueOf(file.toAbsolutePath().getParent());
        }
    }

    /// Those of all callers, the longest unused first.
    public List<Entry> all() throws IOException {
        var all = new ArrayList<Entry>();
        try (var directories = Files.newDirectoryStream(owners, Files::isDirectory)) {
            for (var directory : directories) {
                for (var file : entries(directory)) {
                    all.add(Entry.of(file));
                }
            }
        }
        all.sort(Comparator.comparing(Entry::used));
        return all;
    }

    /// Those of one caller.
    public List<Entry> of(String callerId) throws IOException {
        var own = new ArrayList<Entry>();
        for (var file : entries(directory(callerId))) {
            own.add(Entry.of(file));
        }
        return own;
    }

    /// Directory names by thread id, in the order of the ids.
    public Map<String, String> list(Caller caller) {
        var found = new TreeMap<String, String>();
        for (var entry : entries(caller)) {
            id(entry).ifPresent(id -> found.put(id, String.valueOf(entry.getFileName())));
        }
        return found;
    }

    /// The threads of all callers as this tells of them, by the names of their directories: without
    /// their owners, of whom it has a hash alone.
    ///
    /// @param root the directory of threads, in which nothing is made
    public static Map<String, ThreadMeta> described(Path root) throws IOException {
        var all = new HashMap<String, ThreadMeta>();
        try (var directories =
                Files.newDirectoryStream(root.resolve("owners"), Files::isDirectory)) {
            for (var directory : directories) {
                for (var file : entries(directory)) {
                    describe(file).ifPresent(one -> all.put(one.place(), one));
                }
            }
        } catch (NoSuchFileException none) {
            return Map.of();
        }
        return all;
    }

    private static Optional<ThreadMeta> describe(Path file) throws IOException {
        try {
            var entry = Entry.of(file);
            return id(file).map(id ->
                    new ThreadMeta(entry.name(), id, "", "", entry.used().toString()));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    /// @param name of the thread's directory
    public Optional<String> idAt(Caller caller, String name) {
        return id(directory(caller).resolve(name));
    }

    private List<Path> entries(Caller caller) {
        return entries(directory(caller));
    }

    private static List<Path> entries(Path directory) {
        try (var entries = Files.newDirectoryStream(directory)) {
            var all = new ArrayList<Path>();
            entries.forEach(all::add);
            return all;
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("threads cannot be listed", e);
        }
    }

    private static Optional<String> id(Path entry) {
        try {
            return Optional.of(Json.parse(Files.readString(entry)).path("id").stringValue());
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("threads cannot be listed", e);
        }
    }

    private Path entry(Caller caller, String threadId) {
        return directory(caller).resolve(HashedNames.directoryName(caller, threadId));
    }

    private Path directory(Caller caller) {
        return directory(caller.id());
    }

    private Path directory(String callerId) {
        return owners.resolve(Digests.sha256Hex(callerId.getBytes(StandardCharsets.UTF_8)));
    }
}
