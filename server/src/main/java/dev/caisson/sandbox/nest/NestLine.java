package dev.caisson.sandbox.nest;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.MessageSocket;
import dev.caisson.linux.PidFd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Line to a nest or a zygote: one order, one reply, in time. Whoever does not answer in time is
/// not asked again, because a late reply would be taken for that of the next order.
final class NestLine implements AutoCloseable {
    /// A nest answers within a millisecond; on a machine that is busy with much else, later.
    private static final Duration REPLY_MAX = Duration.ofSeconds(10);

    /// As `struct reply` of `hatch.h` is laid out: an error, and what failed, ended by NULs.
    private static final int REPLY_BYTES = 64;

    private final MessageSocket socket;
    private boolean broken;

    NestLine(MessageSocket socket) {
        this.socket = socket;
    }

    /// The nest, or the zygote, did not carry out an order, but goes on.
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(String why) {
            super(why);
        }
    }

    /// Sends an order and waits for its reply.
    ///
    /// @return the process that the order was for
    /// @throws Refused when it could not be carried out
    /// @throws IOException when the line is of no use any more
    synchronized PidFd ask(NestOrder order) throws IOException {
        return askFor(order).alone();
    }

    /// The same for a program, whose process group is led by another.
    synchronized Named askFor(NestOrder order) throws IOException {
        return guarded(() -> {
            socket.send(order.bytes(), order.descriptors());
            return reply(REPLY_MAX);
        });
    }

    /// The processes that a reply names.
    ///
    /// @param group the leader of its process group, which may have ended
    record Named(PidFd process, PidFd group) {
        private PidFd alone() {
            group.close();
            return process;
        }
    }

    /// Waits for the first word of whoever is at the other end.
    synchronized PidFd greeting(Duration atMost) throws IOException {
        return guarded(() -> reply(atMost)).alone();
    }

    synchronized boolean isBroken() {
        return broken;
    }

    private interface Exchange {
        Named run() throws IOException;
    }

    private Named guarded(Exchange exchange) throws IOException {
        if (broken) {
            throw new IOException("the nest did not answer before");
        }
        broken = true;
        try {
            var named = exchange.run();
            broken = false;
            return named;
        } catch (Refused answered) {
            broken = false;
            throw answered;
        }
    }

    private Named reply(Duration atMost) throws IOException {
        var message = socket.receive(atMost);
        var received = message.descriptors();
        if (message.bytes().length != REPLY_BYTES || received.size() > 2) {
            received.forEach(each -> each.close());
            throw new IOException("a reply that is none");
        }
        var reply = ByteBuffer.wrap(message.bytes()).order(ByteOrder.nativeOrder());
        int error = reply.getInt();
        var failed = StandardCharsets.UTF_8.decode(reply).toString().replace("\0", "");
        if (!failed.isEmpty()) {
            received.forEach(each -> each.close());
            throw new Refused("the nest failed at: %s (error %d)".formatted(failed, error));
        }
        if (received.size() != 2) {
            received.forEach(each -> each.close());
            throw new Refused("a reply names no process");
        }
        var group = PidFd.ofGroup(received.getLast());
        try {
            return new Named(PidFd.of(received.getFirst()), group);
        } catch (KernelException gone) {
            group.close();
            throw new Refused("the process that a reply names is gone");
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
