package dev.caisson.sandbox.nest;

import dev.caisson.call.Refusal;
import dev.caisson.linux.UserIds;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.bubblewrap.Slot;
import dev.caisson.sandbox.bubblewrap.Slots;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Host users of one nest: its own, and two for every sandbox it may have at once, the first
/// process's and the program's. They are leased when the nest is made, because which users exist in
/// a namespace is said once. The pair that has rested longest comes first, and keeps its last slot.
final class NestUsers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NestUsers.class);

    private final List<UserIds.Lease> leases;
    private final Deque<Pair> resting = new ArrayDeque<>();
    private final Map<Pair, Place> kept = new HashMap<>();

    private NestUsers(List<UserIds.Lease> leases) {
        this.leases = leases;
        for (int first = 1; first + 1 < leases.size(); first += 2) {
            resting.add(new Pair(this, first, leases.get(first + 1).uid()));
        }
    }

    /// How many users a nest has.
    ///
    /// @param sandboxes at once
    static int count(int sandboxes) {
        return 1 + 2 * sandboxes;
    }

    /// @param sandboxes at once
    /// @throws NotMade when there are not so many
    static NestUsers lease(Slots slots, int sandboxes) throws NotMade {
        var leases = new ArrayList<UserIds.Lease>();
        try {
            for (int each = 0; each < count(sandboxes); each++) {
                leases.add(slots.takeUser());
            }
            return new NestUsers(List.copyOf(leases));
        } catch (Refusal all) {
            leases.forEach(UserIds.Lease::close);
            throw new NotMade(String.valueOf(all.getMessage()));
        } catch (RuntimeException failed) {
            leases.forEach(UserIds.Lease::close);
            throw failed;
        }
    }

    /// The users of one sandbox, its own until it is closed.
    ///
    /// @param first the first process's, as the nest numbers users; the program's is the next
    /// @param uid the program's, on the host
    record Pair(NestUsers of, int first, int uid) implements UserIds.Lease {
        int program() {
            return first + 1;
        }

        @Override
        public void close() {
            of.giveBack(this);
        }
    }

    /// Where the next sandbox of a pair is made: the slot of the one before, if that was clean.
    ///
    /// @param stated the limits that its files state; empty when they state none yet
    record Place(Slot slot, Optional<Limits> stated) {}

    synchronized Optional<Pair> take() {
        return Optional.ofNullable(resting.poll());
    }

    Place place(Pair pair, Slots slots) throws IOException {
        Optional<Place> before;
        synchronized (this) {
            before = Optional.ofNullable(kept.remove(pair));
        }
        return before.isPresent() ? before.get() : new Place(slots.take(pair), Optional.empty());
    }

    /// The sandbox of a pair is dead and its slot is empty: both are for the next.
    synchronized void keep(Pair pair, Slot slot, Optional<Limits> stated) {
        kept.put(pair, new Place(slot, stated));
        resting.add(pair);
    }

    /// Where nobody is now.
    synchronized List<Place> kept() {
        return List.copyOf(kept.values());
    }

    /// How many of its users there are beyond one for each sandbox.
    synchronized int spare() {
        return leases.size() - (leases.size() / 2 - resting.size());
    }

    private synchronized void giveBack(Pair pair) {
        resting.add(pair);
    }

    /// Which users exist in the nest, as the kernel wants it written.
    String map() {
        var map = new StringBuilder();
        for (int each = 0; each < leases.size(); each++) {
            map.append(each).append(' ').append(leases.get(each).uid()).append(" 1\n");
        }
        return map.toString();
    }

    int own() {
        return leases.getFirst().uid();
    }

    /// Nothing runs as any of them any more.
    @Override
    public void close() {
        List<Place> places;
        synchronized (this) {
            places = List.copyOf(kept.values());
            kept.clear();
        }
        places.forEach(NestUsers::remove);
        leases.forEach(UserIds.Lease::close);
    }

    private static void remove(Place place) {
        try {
            place.slot().close();
        } catch (IOException failed) {
            LOG.error("slot {} could not be removed from the disk", place.slot().number(), failed);
        }
    }
}
