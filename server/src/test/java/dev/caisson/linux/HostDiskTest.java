package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.ShareLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostDiskTest {
    private static final long SLACK = 1L << 30;

    @TempDir Path directory;

    @Test
    void the_disk_is_not_promised_twice() {
        var disk = new HostDisk(directory, SLACK);
        long most = disk.availableBytes() - SLACK;
        try (var _ = disk.promise("a", directory.resolve("first.img"), most)) {
            assertThatThrownBy(() -> disk.promise("a", directory.resolve("second.img"), most))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
        }
        disk.promise("a", directory.resolve("second.img"), most).close();
    }

    /// Others may fill the disk without asking. A directory that is gone has no room either.
    @Test
    void a_promise_is_confirmed_only_while_the_disk_can_keep_it() throws Exception {
        var full = Files.createDirectory(directory.resolve("full"));
        var disk = new HostDisk(full, 0);
        try (var promise = disk.promise("a", full.resolve("first.img"), 4_096)) {
            promise.confirm();
            Files.delete(full);
            assertThat(disk.freeBytes()).isZero();
            assertThatThrownBy(promise::confirm)
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
        }
    }

    @Test
    void who_is_patient_gets_the_room_that_another_leaves() throws Exception {
        var disk = new HostDisk(directory, SLACK, Duration.ofSeconds(30), new ShareLimit(1));
        long most = disk.availableBytes() - SLACK;
        var first = disk.promise("a", directory.resolve("first.img"), most);
        assertThat(disk.promiseNow(directory.resolve("second.img"), most)).isEmpty();
        var second = new CompletableFuture<HostDisk.Promise>();
        Thread.ofVirtual()
                .start(() ->
                        second.complete(disk.promise("a", directory.resolve("second.img"), most)));
        assertThat(second).isNotDone();
        first.close();
        second.get(30, TimeUnit.SECONDS).close();
    }

    @Test
    void an_image_may_come_and_go_while_others_are_promised_their_room() throws Exception {
        var disk = new HostDisk(directory, 0);
        var image = directory.resolve("first.img");
        try (var _ = disk.promise("a", image, 1);
                var other = Executors.newSingleThreadExecutor()) {
            var moved = other.submit(() -> comeAndGo(image, 5_000));
            while (!moved.isDone()) {
                disk.promise("a", directory.resolve("second.img"), 1).close();
            }
            assertThat(moved.get()).isEqualTo(5_000);
        }
    }

    private static int comeAndGo(Path image, int times) throws IOException {
        for (var i = 0; i < times; i++) {
            Files.delete(Files.createFile(image));
        }
        return times;
    }

    @Test
    void the_reserve_stays_free() {
        long free = new HostDisk(directory, 0).freeBytes();
        var disk = new HostDisk(directory, free + SLACK);
        assertThat(disk.availableBytes()).isNegative();
        assertThat(disk.missing(1).orElseThrow()).contains("reserve");
        assertThat(new HostDisk(directory, 0).missing(1)).isEmpty();
        assertThatThrownBy(() -> new HostDisk(directory, -1)).hasMessageContaining("reserve");
    }

    @Test
    void what_is_in_an_image_already_is_not_counted_again() throws IOException {
        var disk = new HostDisk(directory, 0);
        var image = Files.write(directory.resolve("full.img"), new byte[8 << 20]);
        long before = disk.availableBytes();
        try (var _ = disk.promise("a", image, 8 << 20)) {
            assertThat(before - disk.availableBytes()).isLessThan(4 << 20);
        }
    }

    @Test
    void an_image_is_promised_its_room_once() {
        var disk = new HostDisk(directory, 0);
        var image = directory.resolve("one.img");
        try (var _ = disk.promise("a", image, 1)) {
            assertThatThrownBy(() -> disk.promise("a", image, 1)).isInstanceOf(Refusal.class);
            assertThatThrownBy(() -> disk.promiseNow(image, 1))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void one_caller_has_its_share_and_others_find_room() {
        var disk = new HostDisk(directory, SLACK, Duration.ZERO, new ShareLimit(0.5));
        long third = disk.availableBytes() / 3;
        try (var _ = disk.promise("greedy", directory.resolve("first.img"), third)) {
            assertThatThrownBy(() -> disk.promise("greedy", directory.resolve("more.img"), third))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.sentence()).contains("its share");
                                assertThat(refusal.details())
                                        .containsEntry("share", "disk")
                                        .containsKey("retry_after_seconds");
                            });
            disk.promise("modest", directory.resolve("other.img"), third).close();
        }
    }

    @Test
    void what_was_made_ahead_counts_to_whom_it_is_given() {
        var disk = new HostDisk(directory, SLACK, Duration.ZERO, new ShareLimit(0.5));
        long third = disk.availableBytes() / 3;
        try (var ahead = disk.promiseNow(directory.resolve("first.img"), third).orElseThrow()) {
            ahead.passTo("greedy");
            assertThatThrownBy(() -> disk.promise("greedy", directory.resolve("more.img"), third))
                    .isInstanceOf(Refusal.class);
        }
    }

    @Test
    void those_who_wait_take_turns() throws Exception {
        var disk = new HostDisk(directory, SLACK, Duration.ofMinutes(1), new ShareLimit(1));
        long most = disk.availableBytes() - SLACK;
        var first = disk.promise("a", directory.resolve("first.img"), most);
        var order = Collections.synchronizedList(new ArrayList<String>());
        var all = new ArrayList<Thread>();
        for (var name : List.of("a1", "a2", "b1")) {
            all.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                var holder = name.substring(0, 1);
                                var image = directory.resolve(name);
                                try (var _ = disk.promise(holder, image, most)) {
                                    order.add(name);
                                }
                            }));
            int waiting = all.size();
            Awaitility.await().until(() -> disk.waiting() == waiting);
        }
        first.close();
        for (var each : all) {
            each.join();
        }
        assertThat(order).containsExactly("a1", "b1", "a2");
    }

    @Test
    void a_promise_that_is_closed_again_leaves_the_next_one_alone() {
        var disk = new HostDisk(directory, 0);
        var image = directory.resolve("one.img");
        var first = disk.promise("a", image, 1);
        first.close();
        try (var _ = disk.promise("a", image, 1)) {
            first.close();
            first.passTo("b");
            assertThat(disk.promisedBytes("a")).isEqualTo(1);
        }
        assertThat(disk.promisedBytes("a")).isZero();
    }

    @Test
    void an_image_that_cannot_be_looked_at_counts_whole_and_stops_nobody() throws Exception {
        var disk = new HostDisk(directory, 0);
        var odd = Files.createFile(directory.resolve("file")).resolve("below.img");
        try (var _ = disk.promise("a", odd, 1);
                var _ = disk.promise("b", directory.resolve("other.img"), 1)) {
            assertThat(disk.promisedBytes("a")).isEqualTo(1);
        }
        assertThat(disk.waiting()).isZero();
    }

    @Test
    void a_large_wish_is_not_passed_over_for_small_ones() throws Exception {
        var disk = new HostDisk(directory, SLACK, Duration.ofMinutes(1), new ShareLimit(1));
        long most = disk.availableBytes() - SLACK;
        var first = disk.promise("a", directory.resolve("first.img"), most / 2);
        var large = new CompletableFuture<HostDisk.Promise>();
        Thread.ofVirtual()
                .start(() -> large.complete(disk.promise("b", directory.resolve("b.img"), most)));
        Awaitility.await().until(() -> disk.waiting() == 1);
        var small = new CompletableFuture<HostDisk.Promise>();
        Thread.ofVirtual()
                .start(() ->
                        small.complete(disk.promise("c", directory.resolve("c.img"), most / 4)));
        Awaitility.await().until(() -> disk.waiting() == 2);
        first.close();
        var had = large.get(30, TimeUnit.SECONDS);
        assertThat(small).isNotDone();
        had.close();
        small.get(30, TimeUnit.SECONDS).close();
    }
}
