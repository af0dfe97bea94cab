package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.store.Store;
import dev.caisson.store.TestDatabase;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class VolumesTest {
    private static final Caller ALICE = new Caller("key:alice", "Alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("key:bob", "Bob", Set.of(), Set.of());

    private final TestDatabase.Kind kind;
    @TempDir Path root;
    private Store store;
    private Volumes volumes;

    VolumesTest(TestDatabase.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void start() {
        store = kind.fresh(root).open();
        volumes = volumes();
    }

    private Volumes volumes() {
        return new Volumes(
                root, new DirectoryWorkspaces(Optional.empty()), store, Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private static void assertReason(Reason reason, Runnable act) {
        assertThatThrownBy(act::run)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    private static void write(FileTree files) {
        try (files;
                var upload = files.upload(FilePath.parse("f", "/volumes/v"), Expected.anything())) {
            upload.write(ByteBuffer.wrap(new byte[] {1}));
            upload.commit();
        }
    }

    @Test
    void a_volume_is_not_there_for_others_until_it_is_granted() {
        volumes.create(ALICE, "v");

        assertThat(volumes.names(BOB)).isEmpty();
        assertReason(Reason.NOT_FOUND, () -> volumes.info(BOB, "v"));
        assertReason(Reason.NOT_FOUND, () -> volumes.files(BOB, "v", Access.READ).close());
        assertReason(Reason.NOT_FOUND, () -> volumes.mount(BOB, "v", Access.READ).close());
        assertReason(Reason.NOT_FOUND, () -> volumes.delete(BOB, "v"));
        assertThat(volumes.isReadable(BOB, "v")).isFalse();
    }

    @Test
    void a_grant_gives_what_it_says() {
        volumes.create(ALICE, "v");
        volumes.grant(ALICE, "v", BOB.id(), Access.READ);

        assertThat(volumes.names(BOB)).containsExactly("v");
        volumes.files(BOB, "v", Access.READ).close();
        assertReason(Reason.FORBIDDEN, () -> volumes.files(BOB, "v", Access.WRITE).close());
        assertReason(Reason.FORBIDDEN, () -> volumes.mount(BOB, "v", Access.WRITE).close());
        assertReason(Reason.FORBIDDEN, () -> volumes.delete(BOB, "v"));
        assertReason(Reason.FORBIDDEN, () -> volumes.grant(BOB, "v", "key:x", Access.READ));

        var info = volumes.grant(ALICE, "v", BOB.id(), Access.WRITE);
        assertThat(info.grants()).isEqualTo(Map.of(BOB.id(), Access.WRITE));
        write(volumes.files(BOB, "v", Access.WRITE));

        volumes.revoke(ALICE, "v", BOB.id());
        assertReason(Reason.NOT_FOUND, () -> volumes.info(BOB, "v"));
        assertReason(Reason.NOT_FOUND, () -> volumes.revoke(ALICE, "v", BOB.id()));
    }

    @Test
    void a_name_is_checked_and_taken_once() {
        volumes.create(ALICE, "a".repeat(63));
        for (var name : List.of("", "A", "-a", "a/b", "..", "ä", "a".repeat(64))) {
            assertReason(Reason.INVALID_ARGUMENT, () -> volumes.create(ALICE, name));
        }
        assertReason(Reason.CONFLICT, () -> volumes.create(BOB, "a".repeat(63)));
    }

    @Test
    void volumes_and_their_files_survive_a_restart_and_deleted_ones_do_not_come_back()
            throws Exception {
        volumes.create(ALICE, "kept");
        write(volumes.files(ALICE, "kept", Access.WRITE));
        Files.createDirectories(root.resolve("volumes/left-behind/files/x"));

        var again = volumes();

        assertThat(again.info(ALICE, "kept").usage().filesUsed()).isEqualTo(1);
        assertThat(root.resolve("volumes/left-behind")).doesNotExist();
    }

    @Test
    void a_volume_in_use_is_not_deleted() {
        volumes.create(ALICE, "v");
        try (var mounted = volumes.mount(ALICE, "v", Access.WRITE)) {
            assertThat(mounted.name()).isEqualTo("v");
            assertReason(Reason.CONFLICT, () -> volumes.delete(ALICE, "v"));
        }
        volumes.delete(ALICE, "v");
        assertThat(volumes.names(ALICE)).isEmpty();
        assertThat(root.resolve("volumes")).isEmptyDirectory();
    }

    @Test
    void a_caller_owns_so_many_and_no_more() {
        for (var i = 0; i < Volumes.OWNED_MAX; i++) {
            volumes.create(ALICE, "v" + i);
        }
        assertReason(Reason.NO_CAPACITY, () -> volumes.create(ALICE, "more"));
        volumes.create(BOB, "more");
        for (var i = 0; i < Volumes.GRANTS_MAX; i++) {
            volumes.grant(ALICE, "v0", "key:" + i, Access.READ);
        }
        assertReason(Reason.NO_CAPACITY, () -> volumes.grant(ALICE, "v0", BOB.id(), Access.READ));
        volumes.grant(ALICE, "v0", "key:0", Access.WRITE);
    }
}
