package dev.caisson.storage.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyImagesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int COUNT = 3;

    /// How many there is room for, and how many are there.
    private final AtomicInteger room = new AtomicInteger(COUNT);

    private final AtomicInteger open = new AtomicInteger();

    @TempDir Path directory;
    private Optional<ReadyImages> images = Optional.empty();

    @AfterEach
    void everything_is_given_back() {
        images.ifPresent(ReadyImages::close);
        assertThat(open).hasValue(0);
    }

    private ReadyImages images() {
        var made = new ReadyImages(directory.resolve("ready"), COUNT, this::make);
        images = Optional.of(made);
        return made;
    }

    private Optional<ReadyImages.Ready> make(Path image) throws IOException {
        if (open.get() >= room.get()) {
            return Optional.empty();
        }
        open.incrementAndGet();
        return Optional.of(new ReadyImages.Ready(Files.createFile(image), NOWHERE, promise()));
    }

    private HostDisk.Promise promise() {
        return new HostDisk.Promise() {
            @Override
            public void passTo(String holder) {}

            @Override
            public void confirm() {}

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    private static final Mount NOWHERE =
            new Mount() {
                @Override
                public int descriptor() {
                    return -1;
                }

                @Override
                public void close() {}
            };

    private void awaitOpen(int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(open).hasValue(count));
    }

    /// One that was opened is there to be taken a moment later.
    private static ReadyImages.Ready awaitTaken(ReadyImages ready) {
        return await().atMost(PATIENCE)
                .until(() -> ready.take(true), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void they_are_made_ahead_and_what_was_taken_is_replaced() {
        var ready = images();
        awaitOpen(COUNT);
        room.set(COUNT + 1);
        var taken = ready.take(false).orElseThrow();
        awaitOpen(COUNT + 1);
        taken.discard();
        awaitOpen(COUNT);
    }

    @Test
    void the_last_is_for_a_caller_who_has_none() {
        var ready = images();
        awaitOpen(COUNT);
        var first = awaitTaken(ready);
        var second = awaitTaken(ready);
        assertThat(ready.take(true)).isEmpty();
        var last = await().until(() -> ready.take(false), Optional::isPresent).orElseThrow();
        assertThat(ready.take(false)).isEmpty();
        first.discard();
        second.discard();
        last.discard();
    }

    @Test
    void those_that_were_given_back_for_their_room_are_made_again_when_there_is_some() {
        var ready = images();
        awaitOpen(COUNT);
        var taken = ready.take(false).orElseThrow();
        room.set(1);
        ready.drain();
        awaitOpen(1);

        room.set(COUNT);
        ready.close(taken.image(), taken::discard);

        awaitOpen(COUNT);
    }
}
