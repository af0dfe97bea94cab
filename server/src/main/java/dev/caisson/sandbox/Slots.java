package dev.caisson.sandbox;

import dev.caisson.linux.IdMap;
import dev.caisson.linux.UserIds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// The slots that are free, made when first needed. Who takes one was admitted before, so there is
/// always one.
final class Slots implements AutoCloseable {
    private final Path directory;
    private final SandboxSettings settings;
    private final boolean privileged;
    private final UserIds users;
    private final Deque<Slot> free = new ArrayDeque<>();
    private int made;

    Slots(Path directory, SandboxSettings settings, boolean privileged) {
        this.directory = directory;
        this.settings = settings;
        this.privileged = privileged;
        var range = settings.users();
        this.users = new UserIds(range.locks(), range.first(), range.count());
    }

    /// The one used last comes first: few slots are ever made on a quiet machine.
    Slot take() throws IOException {
        int number;
        synchronized (this) {
            var used = free.pollFirst();
            if (used != null) {
                return used;
            }
            number = made++;
        }
        return make(number);
    }

    synchronized void give(Slot slot) {
        free.addFirst(slot);
    }

    private Slot make(int number) throws IOException {
        var place = directory.resolve(Integer.toString(number));
        return privileged
                ? Slot.create(place, number, Optional.of(user()))
                : Slot.create(place, number, Optional.empty());
    }

    private Slot.User user() {
        var lease = users.take();
        return new Slot.User(lease, IdMap.create(settings.userOnDisk(), lease.uid()));
    }

    @Override
    public synchronized void close() throws IOException {
        for (var slot : free) {
            slot.close();
        }
        free.clear();
    }
}
