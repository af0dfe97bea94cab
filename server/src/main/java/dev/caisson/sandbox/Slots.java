package dev.caisson.sandbox;

import dev.caisson.linux.UserIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Makes a slot for every sandbox: a directory that no other had before, and the user that has
/// rested longest.
final class Slots {
    private final Path directory;
    private final Optional<UserIds> users;
    private final AtomicInteger made = new AtomicInteger();

    /// @param privileged whether sandboxes have users of their own
    Slots(Path directory, SandboxSettings.UserRange range, boolean privileged) {
        this.directory = directory;
        this.users =
                privileged
                        ? Optional.of(new UserIds(range.locks(), range.first(), range.count()))
                        : Optional.empty();
    }

    /// @throws dev.caisson.call.Refusal `NO_CAPACITY` when every user is in use
    Slot take() throws IOException {
        Files.createDirectories(directory);
        int number = made.getAndIncrement();
        var owner = users.map(UserIds::take);
        boolean done = false;
        try {
            var slot = Slot.create(directory.resolve(Integer.toString(number)), number, owner);
            done = true;
            return slot;
        } finally {
            if (!done) {
                owner.ifPresent(UserIds.Lease::close);
            }
        }
    }
}
