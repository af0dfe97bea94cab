package dev.caisson;

import com.github.luben.zstd.util.Native;
import com.github.luben.zstd.util.ZstdVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/// Native libraries of the database driver and the compressor, in the data directory:
///
/// ```
/// <data>/native/libsqlitejdbc-<version>.so
/// <data>/native/libzstd-jni-<version>.so
/// ```
///
/// By themselves both unpack into the system's temporary directory at every start, and what a
/// killed server unpacked stays there. Here the names are the same at every start. Where nothing
/// can be written, or a library cannot be loaded from there, the drivers do as they do by
/// themselves.
final class NativeLibraries {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibraries.class);

    private static final String SQLITE_DIRECTORY = "org.sqlite.lib.path";
    private static final String SQLITE_NAME = "org.sqlite.lib.name";
    private static final String DIRECTORY = "native";
    private static final String DRAFT = ".part-";

    /// An older draft is nobody's any more.
    private static final Duration DRAFT_AGE_MAX = Duration.ofMinutes(10);

    private NativeLibraries() {}

    /// To be called before a driver is used. Only the first call of a process has an effect.
    static synchronized void prepare(Path data) {
        if (System.getProperty(SQLITE_DIRECTORY) != null) {
            return;
        }
        try {
            var directory = directory(data.toAbsolutePath().resolve(DIRECTORY));
            var sqlite = unpacked(sqlite(), directory);
            System.setProperty(SQLITE_NAME, sqlite.getFileName().toString());
            System.setProperty(SQLITE_DIRECTORY, directory.toString());
            loadSqlite();
            var zstd = unpacked(zstd(), directory);
            loadZstd(zstd);
            removeOthers(directory, List.of(sqlite, zstd));
        } catch (IOException failure) {
            LOG.debug("native libraries are unpacked elsewhere", failure);
        }
    }

    static boolean areIn(Path data) {
        return Files.exists(data.resolve(DIRECTORY));
    }

    /// Those in use stay in use.
    ///
    /// @param keepData false when the data directory goes too, if nothing else is in it
    static void remove(Path data, boolean keepData) {
        try {
            var directory = data.resolve(DIRECTORY);
            if (Files.isDirectory(directory)) {
                removeOthers(directory, List.of());
                Files.delete(directory);
            }
            if (!keepData) {
                Files.deleteIfExists(data);
            }
        } catch (IOException failure) {
            LOG.debug("native libraries stay in {}", data, failure);
        }
    }

    /// @param resource where it is in the class path
    /// @param name of the file, with the version in it
    private record Library(String resource, String name) {}

    private static Library sqlite() {
        var name = LibraryLoaderUtil.getNativeLibName();
        var dot = name.lastIndexOf('.');
        return new Library(
                LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name,
                name.substring(0, dot) + "-" + SQLiteJDBCLoader.getVersion() + name.substring(dot));
    }

    private static Library zstd() {
        var name = System.mapLibraryName("zstd-jni-" + ZstdVersion.VERSION);
        var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return new Library("/" + system + "/" + System.getProperty("os.arch") + "/" + name, name);
    }

    private static Path directory(Path path) throws IOException {
        return Files.createDirectories(
                path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /// A file that is there already is used only when it has every byte of the library.
    private static Path unpacked(Library library, Path directory) throws IOException {
        var file = directory.resolve(library.name());
        var bytes = bytes(library);
        if (Files.isRegularFile(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
            return file;
        }
        var draft = directory.resolve(library.name() + DRAFT + UUID.randomUUID());
        try {
            Files.write(draft, bytes);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
        return file;
    }

    private static byte[] bytes(Library library) throws IOException {
        try (var resource = NativeLibraries.class.getResourceAsStream(library.resource())) {
            if (resource == null) {
                throw new IOException("there is no " + library.resource() + " in the class path");
            }
            return resource.readAllBytes();
        }
    }

    /// Now, while the file is certainly there.
    private static void loadSqlite() throws IOException {
        try {
            SQLiteJDBCLoader.initialize();
        } catch (Exception failure) {
            throw new IOException("the library of the database driver cannot be loaded", failure);
        }
    }

    @SuppressWarnings("restricted") // The file is ours, and native access is allowed at the start.
    private static void loadZstd(Path file) {
        try {
            System.load(file.toString());
            Native.assumeLoaded();
        } catch (UnsatisfiedLinkError failure) {
            LOG.debug("the compressor unpacks its library by itself", failure);
        }
    }

    /// Those of former versions, and drafts of processes that were killed.
    private static void removeOthers(Path directory, List<Path> ours) throws IOException {
        try (var all = Files.newDirectoryStream(directory)) {
            for (var file : all) {
                if (!ours.contains(file) && !isFreshDraft(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static boolean isFreshDraft(Path file) throws IOException {
        return file.toString().contains(DRAFT)
                && Files.getLastModifiedTime(file)
                        .toInstant()
                        .isAfter(Instant.now().minus(DRAFT_AGE_MAX));
    }
}
