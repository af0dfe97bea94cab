package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostDiskTest {
    private static final long SLACK = 1L << 30;

    @TempDir Path directory;

    @Test
    void the_disk_is_not_promised_twice() {
        var disk = new HostDisk(directory, SLACK);
        long most = disk.availableBytes() - SLACK;
        try (var _ = disk.promise(directory.resolve("first.img"), most)) {
            assertThatThrownBy(() -> disk.promise(directory.resolve("second.img"), most))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY));
        }
        disk.promise(directory.resolve("second.img"), most).close();
    }

    @Test
    void who_is_patient_gets_the_room_that_another_leaves() throws Exception {
        var disk = new HostDisk(directory, SLACK, Duration.ofSeconds(30));
        long most = disk.availableBytes() - SLACK;
        var first = disk.promise(directory.resolve("first.img"), most);
        assertThat(disk.promiseNow(directory.resolve("second.img"), most)).isEmpty();
        var second = new CompletableFuture<HostDisk.Promise>();
        Thread.ofVirtual()
                .start(() -> second.complete(disk.promise(directory.resolve("second.img"), most)));
        assertThat(second).isNotDone();
        first.close();
        second.get(30, TimeUnit.SECONDS).close();
    }

    @Test
    void an_image_may_come_and_go_while_others_are_promised_their_room() throws Exception {
        var disk = new HostDisk(directory, 0);
        var image = directory.resolve("first.img");
        try (var _ = disk.promise(image, 1);
                var other = Executors.newSingleThreadExecutor()) {
            var moved = other.submit(() -> comeAndGo(image, 5_000));
            while (!moved.isDone()) {
                disk.promise(directory.resolve("second.img"), 1).close();
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
        try (var _ = disk.promise(image, 8 << 20)) {
            assertThat(before - disk.availableBytes()).isLessThan(4 << 20);
        }
    }

    @Test
    void an_image_is_promised_its_room_once() {
        var disk = new HostDisk(directory, 0);
        var image = directory.resolve("one.img");
        try (var _ = disk.promise(image, 1)) {
            assertThatThrownBy(() -> disk.promise(image, 1))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
