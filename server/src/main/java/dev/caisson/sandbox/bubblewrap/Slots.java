package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.UserIds;
import dev.caisson.sandbox.SandboxSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Factory of slots, one for every sandbox: a directory that no other had before, and the user that
/// has rested longest.
public final class Slots {
    private final Path directory;
    private final Optional<UserIds> users;
    private final AtomicInteger made = new AtomicInteger();

    /// @param privileged whether sandboxes have users of their own
    public Slots(Path directory, SandboxSettings.UserRange range, boolean privileged) {
        this.directory = directory;
        this.users =
                privileged
                        ? Optional.of(new UserIds(range.locks(), range.first(), range.count()))
                        : Optional.empty();
    }

    /// @throws dev.caisson.call.Refusal `NO_CAPACITY` when every user is in use
    Slot take() throws IOException {
        return of(users.map(UserIds::take));
    }

    /// One for a user that was taken before.
    public Slot take(UserIds.Lease user) throws IOException {
        return of(Optional.of(user));
    }

    /// A user without a slot.
    ///
    /// @throws dev.caisson.call.Refusal `NO_CAPACITY` when every user is in use
    public UserIds.Lease takeUser() {
        return users.orElseThrow().take();
    }

    int usersInUse() {
        return users.map(UserIds::inUse).orElse(0);
    }

    private Slot of(Optional<UserIds.Lease> owner) throws IOException {
        int number = made.getAndIncrement();
        boolean done = false;
        try {
            ServerDirectories.directory(directory);
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
