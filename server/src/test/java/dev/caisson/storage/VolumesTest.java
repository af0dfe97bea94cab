package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.TestWorkers;
import dev.caisson.store.StoreTestCase;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumesTest extends StoreTestCase {
    private static final Caller ALICE = new Caller("key:alice", "Alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("key:bob", "Bob", Set.of(), Set.of());

    @TempDir Path root;
    private Volumes volumes;

    @BeforeEach
    void start() {
        volumes = volumes();
    }

    private Volumes volumes() {
        return volumes(Clock.systemUTC());
    }

    private Volumes volumes(Clock clock) {
        return new Volumes(
                root, new DirectoryWorkspaces(Optional.empty()), store, clock, TestWorkers.WORKERS);
    }

    @AfterEach
    void stop() {
        volumes.close();
    }

    private static void assertReason(Reason reason, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    private static void write(FileTree files) throws Exception {
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
        assertReason(Reason.NOT_FOUND, () -> volumes.files(BOB, "v", VolumeAccess.READ).close());
        assertReason(Reason.NOT_FOUND, () -> volumes.mount(BOB, "v", VolumeAccess.READ).close());
        assertReason(Reason.NOT_FOUND, () -> volumes.delete(BOB, "v"));
        assertThat(volumes.isReadable(BOB, "v")).isFalse();
    }

    @Test
    void a_grant_gives_what_it_says() throws Exception {
        volumes.create(ALICE, "v");
        volumes.grant(ALICE, "v", BOB.id(), VolumeAccess.READ);

        assertThat(volumes.names(BOB)).containsExactly("v");
        volumes.files(BOB, "v", VolumeAccess.READ).close();
        assertReason(Reason.FORBIDDEN, () -> volumes.files(BOB, "v", VolumeAccess.WRITE).close());
        assertReason(Reason.FORBIDDEN, () -> volumes.mount(BOB, "v", VolumeAccess.WRITE).close());
        assertReason(Reason.FORBIDDEN, () -> volumes.delete(BOB, "v"));
        assertReason(Reason.FORBIDDEN, () -> volumes.grant(BOB, "v", "key:x", VolumeAccess.READ));

        var info = volumes.grant(ALICE, "v", BOB.id(), VolumeAccess.WRITE);
        assertThat(info.grants()).isEqualTo(Map.of(BOB.id(), VolumeAccess.WRITE));
        write(volumes.files(BOB, "v", VolumeAccess.WRITE));

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
        assertReason(Reason.CONFLICT, () -> volumes.create(ALICE, "a".repeat(63)));
    }

    @Test
    void names_are_each_callers_own() throws Exception {
        volumes.create(ALICE, "v");
        write(volumes.files(ALICE, "v", VolumeAccess.WRITE));
        volumes.grant(ALICE, "v", BOB.id(), VolumeAccess.READ);
        assertThat(volumes.place(BOB, "v", VolumeAccess.READ))
                .isEqualTo(volumes.place(ALICE, "v", VolumeAccess.READ));

        volumes.create(BOB, "v");

        assertThat(volumes.place(BOB, "v", VolumeAccess.WRITE))
                .isNotEqualTo(volumes.place(ALICE, "v", VolumeAccess.WRITE));
        assertThat(volumes.names(BOB)).containsExactly("v");
        assertThat(volumes.info(BOB, "v").grants()).isEmpty();
        volumes.delete(BOB, "v");
        assertThat(volumes.place(BOB, "v", VolumeAccess.READ))
                .isEqualTo(volumes.place(ALICE, "v", VolumeAccess.READ));
    }

    @Test
    void of_two_granted_volumes_of_one_name_the_first_one_stays() {
        var carol = new Caller("key:carol", "Carol", Set.of(), Set.of());
        volumes.create(carol, "v");
        volumes.create(ALICE, "v");
        volumes.grant(ALICE, "v", BOB.id(), VolumeAccess.READ);
        var first = volumes.place(BOB, "v", VolumeAccess.READ);
        var later = volumes(Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));

        later.grant(carol, "v", BOB.id(), VolumeAccess.WRITE);
        later.grant(ALICE, "v", BOB.id(), VolumeAccess.WRITE);

        assertThat(volumes.place(BOB, "v", VolumeAccess.READ)).isEqualTo(first);
        assertThat(volumes.names(BOB)).containsExactly("v");
    }

    @Test
    void volumes_and_their_files_survive_a_restart_and_deleted_ones_do_not_come_back()
            throws Exception {
        volumes.create(ALICE, "kept");
        write(volumes.files(ALICE, "kept", VolumeAccess.WRITE));
        Files.createDirectories(root.resolve("volumes/left-behind/files/x"));

        var again = volumes();

        assertThat(again.info(ALICE, "kept").usage().filesUsed()).isEqualTo(1);
        assertThat(root.resolve("volumes/left-behind")).doesNotExist();
    }

    @Test
    void a_volume_in_use_is_not_deleted() {
        volumes.create(ALICE, "v");
        try (var mounted = volumes.mount(ALICE, "v", VolumeAccess.WRITE)) {
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
        assertFull(() -> volumes.create(ALICE, "more"));
        volumes.create(BOB, "more");
        for (var i = 0; i < Volumes.GRANTS_MAX; i++) {
            volumes.grant(ALICE, "v0", "key:" + i, VolumeAccess.READ);
        }
        assertFull(() -> volumes.grant(ALICE, "v0", BOB.id(), VolumeAccess.READ));
        volumes.grant(ALICE, "v0", "key:0", VolumeAccess.WRITE);
    }

    /// Only the caller can make room: waiting does not help.
    private static void assertFull(ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal.isRetryable()).isFalse();
                            assertThat(refusal.retryAfter()).isEmpty();
                        });
    }

    @Test
    void a_grant_that_another_process_takes_away_ends_the_run() {
        var other = volumes();
        volumes.create(ALICE, "v");
        volumes.grant(ALICE, "v", BOB.id(), VolumeAccess.WRITE);
        var ended = new ConcurrentLinkedQueue<String>();
        try (var owner = volumes.mount(ALICE, "v", VolumeAccess.WRITE);
                var reading = volumes.mount(BOB, "v", VolumeAccess.READ);
                var writing = volumes.mount(BOB, "v", VolumeAccess.WRITE)) {
            owner.right().endedBy(() -> ended.add("owner"));
            reading.right().endedBy(() -> ended.add("reading"));
            writing.right().endedBy(() -> ended.add("writing"));
            other.grant(ALICE, "v", BOB.id(), VolumeAccess.READ);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ended.contains("writing"));
            assertThat(ended).containsOnly("writing");
            other.revoke(ALICE, "v", BOB.id());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ended.contains("reading"));
            assertThat(ended).doesNotContain("owner");
        }
        other.close();
    }

    @Test
    void a_volume_takes_the_share_of_the_caller_who_uses_it() {
        var holders = new ConcurrentLinkedQueue<String>();
        var maker = new DirectoryWorkspaces(Optional.empty());
        var counted = new NotingMaker(maker, holders);
        volumes.create(ALICE, "v");
        volumes.grant(ALICE, "v", BOB.id(), VolumeAccess.READ);
        try (var other = new Volumes(root, counted, store, Clock.systemUTC(), TestWorkers.WORKERS);
                var _ = other.mount(BOB, "v", VolumeAccess.READ)) {
            assertThat(holders).containsExactly(BOB.id());
        }
    }
}
