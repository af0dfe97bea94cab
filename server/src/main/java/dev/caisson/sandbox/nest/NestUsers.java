package dev.caisson.sandbox.nest;

import dev.caisson.linux.UserIds;
import dev.caisson.sandbox.bubblewrap.Slots;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Host users of one nest: its own, and two for every sandbox it may have at once, the first
/// process's and the program's. They are leased when the nest is made, because which users exist in
/// a namespace is said once. The pair that has rested longest comes first.
final class NestUsers implements AutoCloseable {
    private final List<UserIds.Lease> leases;
    private final Deque<Pair> resting = new ArrayDeque<>();

    private NestUsers(List<UserIds.Lease> leases) {
        this.leases = leases;
        for (int first = 1; first + 1 < leases.size(); first += 2) {
            resting.add(new Pair(this, first, leases.get(first + 1).uid()));
        }
    }

    /// @param sandboxes at once
    static NestUsers lease(Slots slots, int sandboxes) {
        var leases = new ArrayList<UserIds.Lease>();
        try {
            for (int each = 0; each < 1 + 2 * sandboxes; each++) {
                leases.add(slots.takeUser());
            }
            return new NestUsers(List.copyOf(leases));
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

    synchronized Optional<Pair> take() {
        return Optional.ofNullable(resting.poll());
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
        leases.forEach(UserIds.Lease::close);
    }
}
