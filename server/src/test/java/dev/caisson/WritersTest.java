package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.identity.Keys;
import dev.caisson.identity.Vault;
import dev.caisson.profiles.Profiles;
import dev.caisson.storage.FileSpaces;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Links;
import dev.caisson.storage.Threads;
import dev.caisson.storage.Upload;
import dev.caisson.storage.Volumes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// No door calls a writer of `identity` or `storage` around the broker: the compiled classes of the
/// doors name none. Whatever they want done, the room `actions` or a tool does, both behind the
/// broker.
class WritersTest {
    private static final List<String> DOORS = List.of("rest", "mcp", "cli", "console");

    /// Methods that change something, read a secret of the vault, or open files and so may make a
    /// thread or hand out what can be changed.
    private static final Map<Class<?>, Set<String>> WRITERS =
            Map.of(
                    Keys.class, Set.of("create", "createFirstAdmin", "revoke"),
                    Vault.class, Set.of("put", "remove", "value", "seal", "open"),
                    Profiles.class, Set.of("put", "remove"),
                    Volumes.class, Set.of("create", "delete", "grant", "revoke", "files", "mount"),
                    Threads.class, Set.of("acquire", "files", "filesMade", "delete", "ephemeral"),
                    FileSpaces.class, Set.of("open", "openKept", "tell"),
                    FileTree.class,
                            Set.of(
                                    "upload",
                                    "rewrite",
                                    "changeAll",
                                    "delete",
                                    "read",
                                    "readInside",
                                    "seek",
                                    "archive"),
                    Upload.class, Set.of("write", "commit"),
                    Links.class, Set.of("open", "toStore", "toFetch", "baseOf"));

    /// Methods of the same types that change nothing.
    private static final Map<Class<?>, Set<String>> READERS =
            Map.of(
                    Keys.class, Set.of("list", "lastUses", "revokedBefore", "having"),
                    Vault.class, Set.of("list", "warning"),
                    Profiles.class,
                            Set.of(
                                    "list",
                                    "find",
                                    "of",
                                    "environmentsOf",
                                    "applied",
                                    "requireExists",
                                    "refresh",
                                    "listen"),
                    Volumes.class,
                            Set.of(
                                    "names",
                                    "exists",
                                    "info",
                                    "isReadable",
                                    "requireUsable",
                                    "close"),
                    Threads.class,
                            Set.of(
                                    "events",
                                    "capacity",
                                    "bytesInMemory",
                                    "place",
                                    "idAt",
                                    "ids",
                                    "info",
                                    "find",
                                    "listed",
                                    "isBusy",
                                    "close"),
                    FileSpaces.class, Set.of("readPath", "threads", "volumes", "place", "isAt"),
                    FileTree.class, Set.of("list", "look", "linkTarget", "hash", "close"),
                    Upload.class, Set.of("bytes", "close"),
                    Links.class,
                            Set.of(
                                    "life",
                                    "servedAt",
                                    "mark",
                                    "check",
                                    "checkLasting",
                                    "checkBelow"));

    @Test
    void every_method_is_known_as_a_writer_or_a_reader() {
        for (var type : WRITERS.keySet()) {
            var known = new TreeSet<>(WRITERS.get(type));
            known.addAll(READERS.get(type));
            var there =
                    Arrays.stream(type.getDeclaredMethods())
                            .filter(method -> Modifier.isPublic(method.getModifiers()))
                            .map(Method::getName)
                            .collect(Collectors.toCollection(TreeSet::new));
            assertThat(known).as(type.getSimpleName()).isEqualTo(there);
        }
    }

    @Test
    void no_door_calls_a_writer() throws IOException {
        var forbidden = new TreeSet<String>();
        var calls = 0;
        for (var door : DOORS) {
            for (var call : calls(door)) {
                calls++;
                if (isWriter(call.owner().asInternalName(), call.name().stringValue())) {
                    forbidden.add(
                            door
                                    + " calls "
                                    + call.owner().asInternalName()
                                    + "."
                                    + call.name().stringValue());
                }
            }
        }
        assertThat(forbidden).isEmpty();
        assertThat(calls).as("calls seen, too few to mean anything").isGreaterThan(1000);
    }

    @Test
    void the_actions_do_call_them() throws IOException {
        var used = new TreeSet<String>();
        for (var call : calls("actions")) {
            if (isWriter(call.owner().asInternalName(), call.name().stringValue())) {
                used.add(call.name().stringValue());
            }
        }
        assertThat(used)
                .contains(
                        "create", "revoke", "put", "remove", "delete", "grant", "upload", "commit",
                        "archive");
    }

    private static boolean isWriter(String owner, String name) {
        return WRITERS.entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey().getName().replace('.', '/').equals(owner)
                                && entry.getValue().contains(name));
    }

    /// Every method that a class of this room names, be it called or handed on as a function.
    private static List<MemberRefEntry> calls(String room) throws IOException {
        var classes = Repository.classes(Vault.class).resolve("dev/caisson");
        try (var files = Files.walk(classes.resolve(room))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .flatMap(file -> members(file).stream())
                    .toList();
        }
    }

    private static List<MemberRefEntry> members(Path file) {
        try {
            var found = new ArrayList<MemberRefEntry>();
            for (var entry : ClassFile.of().parse(file).constantPool()) {
                if (entry instanceof MemberRefEntry member) {
                    found.add(member);
                }
            }
            return found;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
